// RUN: opwright-opt %s -t c | filecheck %s

// Integers: parentheses where C needs them, short unnamed values inside their users, named ones as constants.

// CHECK-LABEL: int64_t integers(int64_t a, int64_t b, int64_t c)
// CHECK-NEXT:  {
// CHECK-NEXT:      const int64_t scaled = (a + b) * c;
// CHECK-NEXT:      const int64_t rest = a - (b - c);
// CHECK-NEXT:      const int64_t quotient = scaled / (rest % 7);
// CHECK-NEXT:      const int64_t number = max_i64(quotient, ceildiv_i64(a, 4));
// CHECK-NEXT:      const int64_t last = number * number - floordiv_i64(a, 4);
// CHECK-NEXT:      return last;
// CHECK-NEXT:  }
func.func @integers(%a: index, %b: index, %c: index) -> index {
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %0 = arith.addi %a, %b : index
  %scaled = arith.muli %0, %c : index
  %1 = arith.subi %b, %c : index
  %rest = arith.subi %a, %1 : index
  %2 = arith.remsi %rest, %c7 : index
  %quotient = arith.divsi %scaled, %2 : index
  %3 = arith.ceildivsi %a, %c4 : index
  %4 = arith.maxsi %quotient, %3 : index
  %5 = arith.muli %4, %4 : index
  %6 = arith.floordivsi %a, %c4 : index
  %last = arith.subi %5, %6 : index
  func.return %last : index
}

// An expression takes in expressions of at most six operations.

// CHECK-LABEL: int64_t long_sum(int64_t a)
// CHECK-NEXT:  {
// CHECK-NEXT:      const int64_t number = a + a + a + a + a + a + a + a;
// CHECK-NEXT:      return number + a;
func.func @long_sum(%a: index) -> index {
  %0 = arith.addi %a, %a : index
  %1 = arith.addi %0, %a : index
  %2 = arith.addi %1, %a : index
  %3 = arith.addi %2, %a : index
  %4 = arith.addi %3, %a : index
  %5 = arith.addi %4, %a : index
  %6 = arith.addi %5, %a : index
  %7 = arith.addi %6, %a : index
  func.return %7 : index
}

// Types narrower than int are cut after each operation, unsigned operations work on unsigned types, literals are widened
// before they are multiplied.

// CHECK-LABEL: int8_t narrow(int8_t a, int8_t b)
// CHECK:           return (int8_t)(a + b);
func.func @narrow(%a: i8, %b: i8) -> i8 {
  %0 = arith.addi %a, %b : i8
  func.return %0 : i8
}

// CHECK-LABEL: int32_t unsigned_bits(int32_t a, int32_t b)
// CHECK:           return (int32_t)((uint32_t)a >> (uint32_t)b);
func.func @unsigned_bits(%a: i32, %b: i32) -> i32 {
  %0 = arith.shrui %a, %b : i32
  func.return %0 : i32
}

// CHECK-LABEL: int64_t literals(void)
// CHECK:           return (int64_t)65536 * 65536;
func.func @literals() -> index {
  %a = arith.constant 65536 : index
  %0 = arith.muli %a, %a : index
  func.return %0 : index
}

// Booleans.

// CHECK-LABEL: bool booleans(int64_t a, int64_t b, bool c)
// CHECK:           return (a < b && !c) || (uint64_t)a >= (uint64_t)b;
func.func @booleans(%a: index, %b: index, %c: i1) -> i1 {
  %true = arith.constant true
  %0 = arith.cmpi slt, %a, %b : index
  %1 = arith.xori %c, %true : i1
  %2 = arith.andi %0, %1 : i1
  %3 = arith.cmpi uge, %a, %b : index
  %4 = arith.ori %2, %3 : i1
  func.return %4 : i1
}

// Floats: exact constants, conversions by helpers, comparisons that know NaN.

// CHECK-LABEL: float floats(float a, float b)
// CHECK-NEXT:  {
// CHECK-NEXT:      const float s = -a * 0.1f + b / 1e-45f - INFINITY;
// CHECK-NEXT:      const bool less = !(a >= b);
// CHECK-NEXT:      const bool differ = a < b || a > b;
// CHECK-NEXT:      return less && differ ? max_f32(s, 16777216.0f) : exp_f32(s);
func.func @floats(%a: f32, %b: f32) -> f32 {
  %tenth = arith.constant 0.1 : f32
  %tiny = arith.constant 1.0e-45 : f32
  %infinity = arith.constant 0x7f800000 : f32
  %large = arith.constant 16777216.0 : f32
  %0 = arith.negf %a : f32
  %1 = arith.mulf %0, %tenth : f32
  %2 = arith.divf %b, %tiny : f32
  %3 = arith.addf %1, %2 : f32
  %s = arith.subf %3, %infinity : f32
  %less = arith.cmpf ult, %a, %b : f32
  %differ = arith.cmpf one, %a, %b : f32
  %4 = arith.andi %less, %differ : i1
  %5 = arith.maximumf %s, %large : f32
  %6 = math.exp %s : f32
  %7 = arith.select %4, %5, %6 : f32
  func.return %7 : f32
}

// CHECK-LABEL: int16_t conversions(uint16_t a, int8_t b, bool c)
// CHECK:           const float f = bf16_to_f32(a) + (float)b + (float)c;
// CHECK-NEXT:      const uint16_t h = f32_to_f16(f);
// CHECK-NEXT:      return (int16_t)(int32_t)f16_to_f32(h);
func.func @conversions(%a: bf16, %b: i8, %c: i1) -> i16 {
  %0 = arith.extf %a : bf16 to f32
  %1 = arith.sitofp %b : i8 to f32
  %2 = arith.addf %0, %1 : f32
  %3 = arith.extui %c : i1 to i32
  %4 = arith.uitofp %c : i1 to f32
  %f = arith.addf %2, %4 : f32
  %h = arith.truncf %f : f32 to f16
  %5 = arith.extf %h : f16 to f32
  %6 = arith.fptosi %5 : f32 to i32
  %7 = arith.trunci %6 : i32 to i16
  func.return %7 : i16
}
