"""What the emulator does where the sources are unclear or contradict each other."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Choice:
    """One decision.

    Attributes:
        key: a short name.
        api: the APIs it concerns.
        choice: what the emulator does.
        source: what the sources say, and why this was taken.
    """

    key: str
    api: str
    choice: str
    source: str


CHOICES: tuple[Choice, ...] = (
    Choice(
        "multiply-add-roundings",
        "Axpy, MulAddDst, FusedMulAdd, FusedMulAddRelu",
        "chips with single instructions round product and sum when all types agree; half into float rounds once",
        "boundary tables show it for overflowing products only; on vector registers the docs say fused",
    ),
    Choice(
        "elementary-functions",
        "Div, Exp, Ln, Sqrt, Rsqrt, Reciprocal",
        "computed in double, rounded to float and then to the type; denormals are kept",
        "precision is not documented for all chips; compare with a tolerance",
    ),
    Choice(
        "half-sum-steps",
        "ReduceSum, WholeReduceSum, BlockReduceSum, PairReduceSum",
        "half sums round to half at every level of the tree and after every repeat",
        "the width of the accumulator is not documented; saturation tables agree with this",
    ),
    Choice(
        "masked-lanes-of-sums",
        "ReduceSum, WholeReduceSum, BlockReduceSum, PairReduceSum",
        "lanes without a mask bit count as +0",
        "documented through headers of one generation only",
    ),
    Choice(
        "nan-index",
        "ReduceMax, ReduceMin, WholeReduceMax, WholeReduceMin",
        "the value is NaN and the index that of the first NaN; +0 beats -0 as a maximum",
        "not documented",
    ),
    Choice(
        "finite-seed",
        "ReduceMax, ReduceMin",
        "chips built on vector registers start from the worst finite value at index 0",
        "follows from public headers; a tensor of -inf alone has the maximum -MAX there",
    ),
    Choice(
        "shift-keeps-sign",
        "ShiftLeft",
        "a signed value keeps its sign bit",
        "the reference defines it so; hardware may shift plainly",
    ),
    Choice(
        "convert-after-relu",
        "AddReluCast, SubReluCast, MulCast, CastDequant",
        "the sum or product rounds to the source type first; NaN gives +0 in half on chips with single instructions",
        "the intermediate width is not documented",
    ),
    Choice(
        "int4-cast-in-place",
        "Cast",
        "4-bit integers follow the overlap rule of counted conversions in all forms",
        "the documented checks leave them out",
    ),
    Choice(
        "initial-mask",
        "isSetMask=false",
        "the mask of the start (Normal mode, all lanes) counts as not set",
        "it is documented, but a kernel that relies on it breaks with the first call that changes the mask",
    ),
    Choice(
        "strict-overtaking",
        "strict mode",
        "a pipe executes in order; only an instruction that races with an earlier one of its pipe may overtake it",
        "instructions of a pipe start in order and may overlap; without a conflict no one could see it",
    ),
    Choice(
        "queue-depth", "strict mode", "32 instructions wait in a pipe at most", "sources say 16 to 32 a pipe, by pipe"
    ),
    Choice(
        "queue-reuse",
        "AllocTensor in strict mode",
        "the memory keeps its old bytes; in program order it is filled with a pattern",
        "the content is random by the documentation; instructions still pending may use the old bytes",
    ),
    Choice(
        "pair-barrier",
        "IBSet, IBWait, SyncAll through memory, WaitPreBlock, NotifyNextBlock, InitDetermineComputeWorkspace",
        "each waits for all pipes of its core first",
        "not stated; public samples copy out right before these calls without a flag",
    ),
    Choice(
        "pair-flag",
        "IBSet, IBWait",
        "IBSet waits until the flag of its block and event is 0 and makes it 1; IBWait waits for 1 and makes it 0",
        "the documentation only says that they come in pairs",
    ),
    Choice(
        "cross-wait",
        "CrossCoreWaitFlag",
        "the scalar unit waits too; afterwards one pipe or all know of it, as the chip says",
        "on newer chips only the named pipe stops: a kernel that relies on running past the wait is reported as a hang",
    ),
    Choice(
        "cross-mode",
        "CrossCoreWaitFlag",
        "a wait takes a flag of its id in either mode",
        "counters are kept by id; the wait's mode is ignored on older chips",
    ),
    Choice("atomic-integers", "SetAtomicAdd", "integer sums wrap around", "the sources do not say what overflow gives"),
    Choice(
        "atomic-two",
        "SetAtomicAdd",
        "sums of floats by two cores are reported although two values commute when memory holds 0",
        "what memory holds is not followed",
    ),
    Choice(
        "atomic-scalar",
        "SetValue",
        "scalar stores ignore the atomic mode",
        "the mode is documented for copies out of UB",
    ),
    Choice(
        "cache-line",
        "SetValue on global memory",
        "a line stays in the cache until the kernel cleans it; written back byte by byte, in strict mode as a whole",
        "the cache writes lines of 64 bytes; by the documentation two cores that store into one overwrite each other",
    ),
    Choice(
        "cache-bypass",
        "ReadGmByPassDCache, WriteGmByPassDCache",
        "accesses of flags: no race by themselves, and what the writer knows to be finished the reader knows too",
        "the documented way to poll, with DataSyncBarrier between data and flag",
    ),
    Choice(
        "gather-view",
        "Gather, Gatherb, Scatter",
        "an offset must stay inside the source (destination) tensor as it was passed, rounded up to 32 bytes",
        "documented is only that the address lies in the unified buffer; a stray offset is a fault all the same",
    ),
    Choice(
        "gather-mask-undefined",
        "GatherMask",
        "only selected elements have to be written before; bytes behind the packed ones stay as they are",
        "not documented (U14)",
    ),
    Choice(
        "sort-nan",
        "Sort32, MrgSort, Sort",
        "a NaN comes before +infinity; -0 and +0 are equal and keep their order",
        "documented for TopK only (U13)",
    ),
    Choice(
        "sort-half-pair",
        "Sort32, Sort",
        "bytes 2 and 3 of a pair with a half score stay as they are and count as written",
        "documented as reserved (U14)",
    ),
    Choice(
        "sort-length-unit",
        "GetSortLen, GetSortOffset",
        "elements of T",
        "the pages say bytes, the samples index a tensor of T with the result",
    ),
    Choice(
        "sort-suspended",
        "MrgSort with ifExhaustedSuspension",
        "the number of merged pairs is known to scalar code at once",
        "the call has no other way to bound what it writes; hardware needs the order V to S first",
    ),
    Choice(
        "transdata-one-repeat",
        "TransDataTo5HD",
        "with one repeat the strides are added to the addresses once",
        "documented as the effective address of a single repeat",
    ),
    Choice(
        "padding-filler",
        "DataCopyPad",
        "filler up to 32 bytes has no value a kernel may rely on, unless padding with a value was asked for",
        "pages and samples disagree between the first element and paddingValue",
    ),
    Choice(
        "fill-late",
        "Fill, InitGlobalMemory, InitOutput",
        "may be called after InitBuffer; uses the memory above all buffers and ends with PipeBarrier<PIPE_MTE3>",
        "documented before InitBuffer only; shipped kernels call it later",
    ),
    Choice(
        "system-cycle",
        "GetSystemCycle, PrintTimeStamp",
        "the number of instructions that the core has issued so far",
        "a functional model has no clock; the number grows as a clock does",
    ),
    Choice(
        "reg-mask-bits",
        "CreateMask, UpdateMask, Compare (register level)",
        "of the bits of a lane only the lowest is defined; using the others is a finding",
        "the pages are silent about them; relying on them works for some producers only",
    ),
    Choice(
        "reg-undefined-lanes",
        "all loads of the register level",
        "bytes behind a buffer or never written give undefined lanes; storing one is a finding, computing is not",
        "loads always read their whole footprint, so that tails read what nobody wrote",
    ),
    Choice(
        "reg-stray",
        "all loads and stores of the register level",
        "a pointer belongs to the buffer of the tensor it was taken from: a load that begins outside of that buffer "
        "and a store that leaves it are findings (ub-extent); a core's first 64 buffers are told apart",
        "what lies behind a buffer is another's, wherever a kernel has placed it",
    ),
    Choice(
        "reg-used-bytes",
        "LoadAlign with broadcast, LoadUnAlign",
        "only the bytes that reach a register count for order and definedness; the rest must lie in the unified buffer",
        "the other bytes cannot change a result",
    ),
    Choice(
        "reg-order",
        "loads and stores of one vector function",
        "one register, data or LocalMemBar keeps the order; of the loads behind a value the newest 6 are known exactly",
        "documented for one register; a store of data cannot come before the load of it",
    ),
    Choice(
        "reg-direct-call",
        "__simd_vf__ functions called directly",
        "the function begins with the first register that comes to life and ends with the last that goes",
        "a host compiler does not see the call; a loop body with registers of its own counts as a function each time",
    ),
    Choice(
        "reg-pack-gaps",
        "StoreAlign with PACK under a mask",
        "by position; a mask with gaps is a finding",
        "the page can be read as compaction too",
    ),
    Choice(
        "reg-block-mask",
        "StoreAlign with DATA_BLOCK_COPY",
        "lane by lane",
        "the documentation says so; a third party says block by block",
    ),
    Choice(
        "reg-gather-inactive",
        "Gather, GatherB",
        "inactive lanes and blocks become 0",
        "a third party says so; the pages are silent",
    ),
    Choice(
        "reg-scatter-twice",
        "Scatter",
        "the highest lane wins, and equal indices are a finding",
        "documented as unspecified",
    ),
    Choice(
        "reg-reduce-neutral",
        "Reduce MAX and MIN",
        "inactive lanes count as the largest finite values; it is a finding if that decides",
        "documented; a third party says infinities",
    ),
    Choice(
        "reg-shift-left",
        "ShiftLeft of signed elements",
        "a plain shift of the bits; an amount of the width gives 0",
        "an example keeps the sign bit; the amount equal to the width is not mentioned",
    ),
    Choice(
        "reg-half-int16",
        "Cast half to int16",
        "clamps with NO_SAT too",
        "the tables of the page",
    ),
    Choice(
        "reg-cast-merging",
        "Cast",
        "merging does not compile",
        "the pages list zeroing only, the headers accept it for some pairs",
    ),
    Choice(
        "reg-histogram",
        "Histograms ACCUMULATE with BIN1",
        "counts all bytes up to the value, those below 128 included",
        "not clear from the page",
    ),
    Choice(
        "reg-functions",
        "Exp, Ln, Log, Log2, Log10, Sqrt, Div",
        "computed in double and rounded once; by default subnormals are zeros; FTZ_FALSE modes keep them",
        "documented as 1 ulp; the bits of the hardware are not public",
    ),
    Choice(
        "reg-mask-post-update",
        "LoadAlign and StoreAlign of masks with an update",
        "do not compile",
        "page, header and sample disagree about the unit",
    ),
    Choice(
        "reg-strict",
        "vector functions in strict mode",
        "asc_vf_call runs once to record and once when the schedule likes; other forms run when they are issued",
        "their variables belong to the caller",
    ),
    Choice(
        "copies-of-loops-cache",
        "DataCopy with NdDmaParams, NdDmaDci",
        "the cache of these copies is not modelled: they always see global memory, and NdDmaDci does nothing",
        "documented as 32 KiB that other cores' writes do not reach; when a line is dropped is not documented",
    ),
    Choice(
        "scalar-atomics-order",
        "AtomicAdd, AtomicMax, AtomicMin, AtomicCas, AtomicExch",
        "who changes an address afterwards knows what earlier ones knew to be finished; each call lets other cores run",
        "locks are built from them; their memory order is not documented",
    ),
    Choice(
        "library-functions",
        "Tanh, Sin, Gelu, Power and the other elementwise functions of the high-level library",
        "the function itself in double, rounded to float and then to the type, whatever algorithm the call names",
        "documented are formulas and names of approximations, no bits; compare with a tolerance",
    ),
    Choice(
        "library-rows",
        "SoftMax, SoftmaxFlash, SoftmaxGrad, LayerNorm, RmsNorm and the other calls on rows; reductions by pattern",
        "a row in double from left to right, each result rounded once; the maximum is exact",
        "the pages describe steps in the type of the operands without their order; compare with a tolerance",
    ),
    Choice(
        "library-trees",
        "Sum, Mean",
        "a tree of the row, neighbours first, each level rounded to the type (Mean: to accType); rows longer than a"
        " repeat as a tree of trees",
        "the tree of one repeat is documented, how repeats join is not",
    ),
    Choice(
        "library-scratch",
        "sharedTmpBuffer of the high-level library",
        "any size is taken; its bytes are undefined afterwards; without it nothing is taken from the free memory",
        "the least size comes from host functions whose results are not documented",
    ),
    Choice(
        "library-mask",
        "the high-level library",
        "leaves Normal mode and all lanes on chips with single instructions",
        "not documented; kernels set their mask again",
    ),
    Choice(
        "library-padding",
        "SoftMax, LayerNorm and the other calls on padded rows",
        "what pads the rows of the source is not read; what pads those of the destination is undefined afterwards",
        "documented as overwritten by results of the padding",
    ),
    Choice(
        "library-overlap",
        "Round, Trunc, Gelu, SoftMax, ...",
        "a source may be the destination where the page says so, or says nothing (Round)",
        "most pages forbid it",
    ),
    Choice(
        "library-swish",
        "Swish",
        "x / (1 + exp(-scalar * x))",
        "the formula and the sample; the example on the page passes a negative scalar for the same result",
    ),
    Choice(
        "library-deep-norm",
        "DeepNorm",
        "the third result is the variance",
        "named rstd, but the page's numbers and the sample's are the variance",
    ),
    Choice(
        "library-power",
        "Power of integers",
        "wraps; a negative exponent gives the quotient 1 / x^n cut off, 0 for x = 0",
        "not documented",
    ),
    Choice(
        "library-quant-steps",
        "AscendQuant",
        "operands as half; product and sum round to half; to int8 nearest even, saturating, NaN gives 0",
        "the page's figure for scalars; the same is taken for channels and newer chips",
    ),
    Choice(
        "library-top-k",
        "TopK",
        "without indices as an operand they count from 0; -0 and +0 are equal",
        "the page says in one place that they cannot be used then, and in its steps that they are generated",
    ),
    Choice(
        "undocumented-names",
        "AscendCUtils, vcadd",
        "AscendCUtils programs the mask as SetVectorMask does; vcadd is WholeReduceSum under the mask register",
        "not in the documentation; public kernels use them beside the documented calls, which shows their meaning",
    ),
    Choice(
        "pointers-to-apis",
        "count forms of the elementwise APIs and functions passed on as pointers",
        "run; findings in them name no line of the kernel",
        "a pointer has exactly the documented parameters, so the call's place cannot travel with it",
    ),
    Choice(
        "buffer-as-queue",
        "AllocTensor and FreeTensor of TBuf",
        "the whole buffer as from Get; FreeTensor does nothing",
        "only samples show them",
    ),
)
