// Many calls of MoeTokenUnpermuteWithRoutingMapGrad from several threads: threads.h.
#include "aclnnop/aclnn_moe_token_unpermute_with_routing_map_grad.h"
#include "threads.h"

namespace {

const int64_t T = 4, H = 33, E = 2, M = 8;

void work(Worker &worker, int seed, int calls) {
    void *gData = worker.reserve(T * H * 4), *placeData = worker.reserve(M * 4), *tokenData = worker.reserve(M * 4);
    void *mapData = worker.reserve(T * E), *rowsData = worker.reserve(M * H * 4), *probsData = worker.reserve(T * E * 4);
    void *rowsGradData = worker.reserve(M * H * 4), *probsGradData = worker.reserve(T * E * 4);
    toDevice(mapData, std::vector<uint8_t>(T * E, 1));
    for (int call = 0; call < calls; call++) {
        std::vector<float> g(T * H), rows(M * H), probs(T * E);
        std::vector<int32_t> places(M);
        for (int64_t i = 0; i < T * H; i++) g[i] = smallNumber(i, seed + call);
        for (int64_t i = 0; i < M * H; i++) rows[i] = smallNumber(i, seed);
        for (int64_t i = 0; i < T * E; i++) probs[i] = smallNumber(i, call);
        for (int64_t i = 0; i < M; i++) places[i] = static_cast<int32_t>((i * 3 + seed + call) % M);
        toDevice(gData, g);
        toDevice(rowsData, rows);
        toDevice(probsData, probs);
        toDevice(placeData, places);
        toDevice(tokenData, places);
        const std::vector<aclTensor *> t = {
            describe({T, H}, ACL_FLOAT, gData), describe({M}, ACL_INT32, placeData), describe({M}, ACL_INT32, tokenData),
            describe({T, E}, ACL_BOOL, mapData), describe({M, H}, ACL_FLOAT, rowsData),
            describe({T, E}, ACL_FLOAT, probsData), describe({M, H}, ACL_FLOAT, rowsGradData),
            describe({T, E}, ACL_FLOAT, probsGradData)};
        uint64_t size = 0;
        aclOpExecutor *executor = nullptr;
        EXPECT(aclnnMoeTokenUnpermuteWithRoutingMapGradGetWorkspaceSize(t[0], t[1], t[2], t[3], t[4], t[5], false, nullptr,
                                                                        t[6], t[7], &size, &executor) == 0);
        worker.run(aclnnMoeTokenUnpermuteWithRoutingMapGrad, size, executor, t);
        const auto found = toHost<float>(rowsGradData, M * H), sums = toHost<float>(probsGradData, T * E);
        for (int64_t i = 0; i < M; i++) {
            float sum = 0;
            for (int64_t h = 0; h < H; h++) {
                EXPECT(found[places[i] * H + h] == g[i / E * H + h] * probs[i]);
                sum += g[i / E * H + h] * rows[places[i] * H + h];
            }
            EXPECT(sums[i] == sum);
        }
    }
}

}  // namespace

int main(int argc, char **argv) { return threaded(argc, argv, work); }
