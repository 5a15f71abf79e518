// Index tensors whose elements are out of range: told by name when the stream comes to them, and nothing is written.
// The first argument says 1 where padded calls have kernels as well.
#include "aclnnop/aclnn_moe_token_unpermute_with_routing_map_grad.h"
#include "support.h"

namespace {

const int64_t T = 4, H = 3, E = 2, M = 8;

struct Case {
    std::vector<int32_t> outIndex;
    std::vector<int32_t> tokenId;
    bool padded;

    /// Elements of index tensors stand this far apart.
    int64_t stride;

    /// Part of the message; null where the call is right.
    const char *text;
};

void run(const Case &given) {
    std::vector<int32_t> places(M * given.stride, 1 << 30), tokens(M * given.stride, 1 << 30);
    for (int64_t i = 0; i < M; i++) {
        places[i * given.stride] = given.outIndex[i];
        tokens[i * given.stride] = given.tokenId[i];
    }
    const std::vector<float> ones(M * H, 1), before(M * H, -7);
    const std::vector<uint8_t> routing(T * E, 1);
    std::vector<void *> memory;
    const auto add = [&](size_t bytes) { return memory.emplace_back(deviceMemory(bytes)), memory.back(); };
    void *g = add(T * H * 4), *index = add(places.size() * 4), *ids = add(tokens.size() * 4), *map = add(T * E);
    void *rows = add(M * H * 4), *probs = add(T * E * 4), *rowsGrad = add(M * H * 4), *probsGrad = add(T * E * 4);
    for (void *each : {g, rows, rowsGrad, probs, probsGrad}) {
        const bool isOutput = each == rowsGrad || each == probsGrad;
        const int64_t size = each == g ? T * H : each == probs || each == probsGrad ? T * E : M * H;
        toDevice(each, std::vector<float>((isOutput ? before : ones).begin(), (isOutput ? before : ones).begin() + size));
    }
    toDevice(index, places);
    toDevice(ids, tokens);
    toDevice(map, routing);
    aclTensor *tensors[] = {describe({T, H}, ACL_FLOAT, g),        describe({M}, ACL_INT32, index, {given.stride}),
                            describe({M}, ACL_INT32, ids, {given.stride}), describe({T, E}, ACL_BOOL, map),
                            describe({M, H}, ACL_FLOAT, rows),     describe({T, E}, ACL_FLOAT, probs),
                            describe({M, H}, ACL_FLOAT, rowsGrad), describe({T, E}, ACL_FLOAT, probsGrad)};
    uint64_t size = 0;
    aclOpExecutor *executor = nullptr;
    EXPECT(aclnnMoeTokenUnpermuteWithRoutingMapGradGetWorkspaceSize(
               tensors[0], tensors[1], tensors[2], tensors[3], tensors[4], tensors[5], given.padded, nullptr, tensors[6],
               tensors[7], &size, &executor) == 0);
    EXPECT(aclnnMoeTokenUnpermuteWithRoutingMapGrad(add(size), size, executor, nullptr) == 0);
    const int status = aclrtSynchronizeStream(nullptr);
    if (given.text == nullptr) {
        EXPECT(status == 0);
    } else {
        EXPECT(refused(status, 161002, given.text));
        EXPECT(toHost<float>(rowsGrad, M * H) == before);
        EXPECT(toHost<float>(probsGrad, T * E) == std::vector<float>(T * E, -7));
    }
    EXPECT(aclrtSynchronizeStream(nullptr) == 0);
    for (aclTensor *tensor : tensors) EXPECT(aclDestroyTensor(tensor) == 0);
    for (void *each : memory) EXPECT(aclrtFree(each) == 0);
}

}  // namespace

int main(int argc, char **argv) {
    const bool withPadded = argc > 1 && *argv[1] == '1';
    EXPECT(aclInit(nullptr) == ACL_SUCCESS && aclrtSetDevice(0) == ACL_SUCCESS);
    const std::vector<int32_t> all = {0, 1, 2, 3, 4, 5, 6, 7}, none(M, -1), ids = {0, 1, 2, 3, 0, 1, 2, 3};
    std::vector<int32_t> large = all, largest = all, wrongIds = ids, negativeIds = ids;
    large[3] = 8;
    largest[7] = INT32_MAX;
    wrongIds[5] = 4;
    negativeIds[0] = -1;
    const char *text = "aclnnMoeTokenUnpermuteWithRoutingMapGrad failed on the stream: element [3] of 'outIndex' is 8; "
                       "legal are 0 to 7, and negative ones for nothing (1 of 8 elements are out of range); nothing was "
                       "written";
    for (const int64_t stride : {1, 3}) {
        run({all, wrongIds, false, stride, nullptr});
        run({none, ids, false, stride, nullptr});
        run({large, ids, false, stride, text});
        run({largest, ids, false, stride, "element [7] of 'outIndex' is 2147483647"});
        if (!withPadded) continue;
        run({all, ids, true, stride, nullptr});
        run({all, wrongIds, true, stride, "element [5] of 'permuteTokenId' is 4; legal are 0 to 3 ("});
        run({all, negativeIds, true, stride, "element [0] of 'permuteTokenId' is -1; legal are 0 to 3 ("});
        run({large, ids, true, stride, "element [3] of 'outIndex' is 8"});
    }
    EXPECT(aclrtResetDevice(0) == ACL_SUCCESS && aclFinalize() == ACL_SUCCESS && aclGetRecentErrMsg() == nullptr);
    std::puts("places out of range are told");
    return 0;
}
