// Moves of oneDNN and PyTorch behind three functions, which benches/targets/packages.rs calls.
//
// A move is a nest of loops as the benchmark has it: extents, and strides in elements of both sides. Each library prepares
// what its users prepare once, its operator and its tensors, and `peer_run` is the call that they repeat, on one thread.

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <oneapi/dnnl/dnnl.hpp>

namespace {

struct Nest {
    std::vector<int64_t> extents, from, to;
    size_t bytes;  // Of an element.
    std::string source, destination;  // Formats.
};

struct Peer {
    virtual ~Peer() = default;
    virtual void run(const void* from, void* to) = 0;
};

/// What a user of PyTorch writes: `destination.copy_(source)` of permuted views.
struct PyTorch : Peer {
    Nest nest;
    at::Tensor from, to;
    explicit PyTorch(const Nest& nest) : nest(nest) { at::set_num_threads(1); }
    void run(const void* source, void* destination) override {
        if (!from.defined() || from.data_ptr() != source || to.data_ptr() != destination) {
            auto type = nest.bytes == 4 ? at::kFloat : nest.bytes == 2 ? at::kHalf : at::kChar;
            from = at::from_blob(const_cast<void*>(source), nest.extents, nest.from, type);
            to = at::from_blob(destination, nest.extents, nest.to, type);
        }
        to.copy_(from);
    }
};

/// A reorder between its own tags, where it has them, or else between strides.
struct OneDnn : Peer {
    dnnl::engine engine{dnnl::engine::kind::cpu, 0};
    dnnl::stream stream{engine};
    dnnl::memory from, to;
    dnnl::reorder reorder;
    OneDnn(const Nest& nest, const std::vector<int64_t>& shape) {
        auto type = nest.bytes == 4   ? dnnl::memory::data_type::f32
                    : nest.bytes == 2 ? dnnl::memory::data_type::f16
                                      : dnnl::memory::data_type::s8;
        auto described = [&](const std::string& format, const std::vector<int64_t>& strides) {
            using tag = dnnl::memory::format_tag;
            auto found = format == "NCHW"         ? tag::nchw
                         : format == "NHWC"       ? tag::nhwc
                         : format == "OIHW"       ? tag::oihw
                         : format == "OIHW4i16o4i" ? tag::OIhw4i16o4i
                                                   : tag::undef;
            return found == tag::undef ? dnnl::memory::desc(nest.extents, type, strides)
                                       : dnnl::memory::desc(shape, type, found);
        };
        auto source = described(nest.source, nest.from), destination = described(nest.destination, nest.to);
        from = dnnl::memory(source, engine, nullptr);
        to = dnnl::memory(destination, engine, nullptr);
        reorder = dnnl::reorder(from, to);
    }
    void run(const void* source, void* destination) override {
        from.set_data_handle(const_cast<void*>(source));
        to.set_data_handle(destination);
        reorder.execute(stream, from, to);
        stream.wait();
    }
};

}  // namespace

/// A move of a library, or null if it has no such move. `formats` are those of both sides, and `extents`, `from` and `to`
/// have `rank` numbers; `shape` has four.
extern "C" void* peer_new(const char* library, const char* const formats[2], size_t bytes, const int64_t shape[4],
                          size_t rank, const int64_t* extents, const int64_t* from, const int64_t* to) {
    Nest nest{{extents, extents + rank}, {from, from + rank}, {to, to + rank}, bytes, formats[0], formats[1]};
    try {
        if (!strcmp(library, "oneDNN")) return new OneDnn(nest, {shape, shape + 4});
        if (!strcmp(library, "PyTorch")) return new PyTorch(nest);
    } catch (...) {
    }
    return nullptr;
}

extern "C" void peer_run(void* peer, const void* from, void* to) { static_cast<Peer*>(peer)->run(from, to); }

extern "C" void peer_delete(void* peer) { delete static_cast<Peer*>(peer); }
