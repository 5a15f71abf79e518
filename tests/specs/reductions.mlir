// Orders of reduction that are easy to get wrong: parallel and reduced dims mixed, writes whose places differ, triangles,
// combinations of integers, gathered places.
spec.operator @Reductions {
  %S = spec.dim "S"
  %B = spec.dim "B"
  %H = spec.dim "H"
  %W = spec.dim "W" = [3]
  spec.columns ["T"] [[f16], [bf16]]
  %gradY = spec.input "gradY" : !spec.tensor<[S, B, H], T>
  %x = spec.input "x" : !spec.tensor<[S, B, H], T>
  %weight = spec.input "weight" : !spec.tensor<[W, H], T>
  %mask = spec.input "maskOptional" optional : !spec.tensor<[B, S], i1>
  %false = arith.constant false
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1 : i32
  %none = arith.constant 0 : i32

  // The reduced dim stands between the parallel ones; a second result keeps every point.
  %mixed, %kept = spec.compute (%h: 0 to %H, %i: 0 to %S, %j: 0 to %B) -> (!spec.tensor<[B, H], T>, !spec.tensor<[S, B, H], f32>) {
    %a = spec.read %gradY[%i, %j, %h] : f32
    %b = spec.read %x[%S - 1 - %i, %j, %h] : f32
    %p = arith.mulf %a, %b : f32
    spec.write add %p to 0[%j, %h]
    spec.write %p to 1[%i, %j, %h]
  }
  // Three writes overlap: the order of points decides.
  %halo = spec.compute (%i: 0 to %S, %h: 0 to %H) -> !spec.tensor<[S, H], f32> {
    %a = spec.read %kept[%i, 0, %h] : f32
    %b = spec.read %kept[%i, 1, %h] : f32
    %c = arith.mulf %a, %b : f32
    %first = arith.constant 1 : index
    %has_previous = arith.cmpi sge, %i, %first : index
    %next = spec.index [%i + 1]
    %has_next = arith.cmpi slt, %next, %S : index
    spec.write add %b to 0[%i - 1, %h] if %has_previous
    spec.write add %a to 0[%i, %h]
    spec.write add %c to 0[%i + 1, %h] if %has_next
  }
  // A triangle, and a maximum over it.
  %peak = spec.compute (%i: 0 to %S, %t: 0 to %i + 1, %h: 0 to %H) -> !spec.tensor<[S, H], T> {
    %a = spec.read %halo[%t, %h] : f32
    spec.write max %a to 0[%i, %h]
  }
  // Counts in integers: how many kept rows precede a row, then a sum at gathered places.
  %flag = spec.compute (%j: 0 to %B, %i: 0 to %S) -> !spec.tensor<[B, S], i32> {
    %keep = spec.read %mask[%j, %i] absent %false : i1
    %n = arith.select %keep, %one, %none : i32
    spec.write %n to 0[%j, %i]
  }
  %rank = spec.scan exclusive %flag dim 1 : !spec.tensor<[B, S], i32>
  %gathered = spec.compute (%j: 0 to %B, %i: 0 to %S, %h: 0 to %H) -> !spec.tensor<[S, H], f32> {
    %place = spec.read %rank[%j, %i] : index
    %a = spec.read %gradY[%i, %j, %h] : f32
    spec.write add %a to 0[%place, %h]
  }
  %least = spec.compute (%i: 0 to %S, %j: 0 to %B) -> !spec.tensor<[B], i32> {
    %n = spec.read %rank[%j, %i] : i32
    spec.write min %n to 0[%j]
  }
  spec.output "mixed" %mixed : !spec.tensor<[B, H], T>
  spec.output "halo" %halo : !spec.tensor<[S, H], f32>
  spec.output "peak" %peak : !spec.tensor<[S, H], T>
  spec.output "gathered" %gathered : !spec.tensor<[S, H], f32>
  spec.output "least" %least : !spec.tensor<[B], i32>
}
