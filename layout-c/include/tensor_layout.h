/* Memory layouts of tensors: where each element lies, and how to move a tensor from one layout to another.
 *
 * All values lie in memory of the caller: a function writes a layout, a plan or a text to where the caller points, nothing is
 * freed, and values may be copied as bytes within the process. Functions that allocate say so.
 *
 * The caller promises that arguments lead to what they describe: memory of a source is initialized and nobody writes it
 * meanwhile, and nobody else uses that of a destination meanwhile. A side of a copy is all of the bytes from its lowest to its
 * highest element, those between elements too.
 *
 * C11 and C++17. A function returns TL_OK or the kind of error. If `error` is not NULL, it gets a sentence that says what is
 * wrong, with names and numbers, and what to do; functions without `error` write it to their `text`. Other values are written
 * on TL_OK alone. All functions may be called from several threads, and plans and layouts are only read.
 *
 *     tl_layout image, planes;
 *     tl_plan plan;
 *     tl_parse(TL_STRING("NHWC<N = 1, C = 3, H = 224, W = 224>, f32"), &image, NULL);
 *     tl_parse(TL_STRING("NCHW<1, 3, 224, 224>, f32"), &planes, NULL);
 *     tl_plan_new(&image, &planes, &plan, NULL);
 *     tl_plan_run(&plan, pixels, sizeof pixels, moved, sizeof moved, NULL);
 */
#ifndef TENSOR_LAYOUT_H
#define TENSOR_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header. Values that a library of another version made are refused. */
#define TL_VERSION 1

/* The largest number of axes of a layout. A copy by strides takes any number, of which 32 have several elements. */
#define TL_MAX_RANK 12

/* A string literal and its length, for the two parameters of a text. */
#define TL_STRING(literal) (literal), (sizeof(literal) - 1)

typedef enum tl_status {
    TL_OK = 0,
    /* An argument is NULL that must not be, or a struct has another size than this header says. */
    TL_ERROR_ARGUMENT = 1,
    /* A value was made by another build of the library, or, as far as can be seen, not at all. */
    TL_ERROR_VERSION = 2,
    /* A text is not UTF-8, or not a layout. */
    TL_ERROR_TEXT = 3,
    /* A layout, a relayout or a conversion breaks a rule. */
    TL_ERROR_RULE = 4,
    /* A buffer has another length than its layout, is not aligned to its elements, or overlaps another. */
    TL_ERROR_MEMORY = 5,
    /* This build of the library lacks what was asked for. */
    TL_ERROR_UNSUPPORTED = 6,
    /* No element lies at the offset: it is padding, a gap, or beyond the buffer; or the record has no such buffer. */
    TL_NO_ELEMENT = 7,
    /* A file of tensors cannot be read or written, or rules for it are wrong. */
    TL_ERROR_FILE = 8,
    /* The library is at fault, and the destination holds anything. */
    TL_ERROR_PANIC = 9
} tl_status;

/* Memory for a text. The library writes at most `capacity` bytes with a final 0, cuts what does not fit at a whole
 * character, and sets `length` to the bytes of the whole text without the 0. */
typedef struct tl_text {
    char *data;
    size_t capacity;
    size_t length;
} tl_text;

/* Where each element of a tensor lies in memory. */
typedef struct tl_layout {
    uint64_t opaque[64];
} tl_layout;

/* How to move a tensor from one layout to another on this CPU. */
typedef struct tl_plan {
    uint64_t opaque[1024];
} tl_plan;

/* Several tensors in one buffer or more, such as blocks of quantized weights with their scales. */
typedef struct tl_record {
    uint64_t opaque[200];
} tl_record;

/* A buffer that is read. */
typedef struct tl_source {
    const void *data;
    size_t bytes;
} tl_source;

/* A buffer that is written. */
typedef struct tl_destination {
    void *data;
    size_t bytes;
} tl_destination;

/* A tensor of a file. Texts end with a 0; they and the shape last during the call that gets them. */
typedef struct tl_stored_tensor {
    /* The size of this struct. Later versions may add to its end. */
    size_t size;
    const char *name;
    /* "f16", or the record of its blocks, such as "ggml::Q4_0". */
    const char *element;
    /* A layout or a record, as tl_parse or tl_record_parse reads it, or NULL if the file says none. */
    const char *layout;
    /* The path of the file, and where its bytes begin there. */
    const char *file;
    size_t rank;
    const size_t *shape;
    uint64_t at;
    uint64_t bytes;
} tl_stored_tensor;

/* How to copy elements between strided arrays on this CPU. */
typedef struct tl_copy {
    uint64_t opaque[576];
} tl_copy;

/* What a layout is. `extents`, `strides` and `letters` have `rank` entries; the letters end with a 0. */
typedef struct tl_facts {
    /* The size of this struct, which the caller sets. */
    size_t size;
    size_t rank;
    size_t extents[TL_MAX_RANK];
    /* In elements, if `has_strides`: axes with blocks have no single stride. */
    ptrdiff_t strides[TL_MAX_RANK];
    int has_strides;
    char letters[TL_MAX_RANK + 4];
    /* Elements without padding. */
    size_t numel;
    /* Elements of the buffer, with padding. */
    size_t len;
    /* Bytes of the buffer. */
    size_t bytes;
    /* The alignment of the buffer in bytes. */
    size_t align;
    /* Bits of an element. */
    size_t element_bits;
} tl_facts;

typedef enum tl_conversion_kind {
    /* The same value in another type, or the nearest one. */
    TL_CAST = 0,
    /* round(x * (1 / scale)) + zero point, or the nearest integer that the type has. */
    TL_QUANTIZE = 1,
    /* (x - zero point) * scale. */
    TL_DEQUANTIZE = 2,
    /* (x - mean) * scale. */
    TL_NORMALIZE = 3
} tl_conversion_kind;

/* What happens to the elements of a conversion. */
typedef struct tl_conversion {
    /* The size of this struct, which the caller sets. */
    size_t size;
    /* A tl_conversion_kind. */
    int kind;
    /* The letter of an axis with one parameter for each coordinate, or 0 for one parameter in all. */
    char axis;
    /* `count` of each; a cast needs none. Without an axis `count` is 1, and `zero_points` or `means` that are NULL are 0. */
    size_t count;
    const float *scales;
    const int32_t *zero_points;
    const float *means;
    /* Halves are rounded away from 0, not to even. */
    int half_away;
    /* Floats too large for the type become its largest finite number, and not infinity or NaN. */
    int saturate;
} tl_conversion;

/* The version of the library, TL_VERSION of its header. */
uint32_t tl_version(void);

/* Reads a layout, such as "NCHW4<2, 64, 3, 3>, f16" or "NHWC<N = 1, C = 3, H = 4, W = 5>, u8, align(H = 64)". */
tl_status tl_parse(const char *text, size_t length, tl_layout *layout, tl_text *error);

/* Makes a layout of a strided array. `axes` has `rank` letters, `strides` count elements, and `element` is a name such
 * as "f32" that ends with a 0. */
tl_status tl_from_strides(const char *axes, size_t rank, const size_t *extents, const ptrdiff_t *strides,
                          const char *element, tl_layout *layout, tl_text *error);

/* Writes the layout as a text that tl_parse reads. */
tl_status tl_print(const tl_layout *layout, tl_text *text);

/* Writes what the layout is, in words. Allocates, and needs a library for an operating system. */
tl_status tl_explain(const tl_layout *layout, tl_text *text);

/* Writes what the layout is, in numbers. */
tl_status tl_describe(const tl_layout *layout, tl_facts *facts);

/* Finds the offset of an element, in elements. The coordinate has an index for each axis in the order of the letters. */
tl_status tl_offset(const tl_layout *layout, const size_t *coordinate, size_t rank, size_t *offset, tl_text *error);

/* Finds the element at an offset, or returns TL_NO_ELEMENT. */
tl_status tl_coordinate(const tl_layout *layout, size_t offset, size_t *coordinate, size_t rank, tl_text *error);

/* Plans a relayout between layouts with the same axes, extents and elements. */
tl_status tl_plan_new(const tl_layout *source, const tl_layout *destination, tl_plan *plan, tl_text *error);

/* Finds about how many cycles a relayout takes on this CPU, or 0 if both layouts store every element at the same place. Such
 * costs serve to compare relayouts, where layouts are chosen; they are not times. */
tl_status tl_relayout_cost(const tl_layout *source, const tl_layout *destination, uint64_t *cost, tl_text *error);

/* Moves a tensor. Both buffers have the bytes of their layouts, any alignment, and do not overlap. Padding is filled as
 * the layout of the destination says. */
tl_status tl_plan_run(const tl_plan *plan, const void *source, size_t source_bytes, void *destination,
                      size_t destination_bytes, tl_text *error);

/* tl_plan_run on all cores. It allocates, and starts threads when it is called first; if the system has none, the program
 * ends. The calling thread alone moves what takes less than about a third of a millisecond, and so does a process that was
 * forked from one with such threads. */
tl_status tl_plan_run_parallel(const tl_plan *plan, const void *source, size_t source_bytes, void *destination,
                               size_t destination_bytes, tl_text *error);

/* Writes the path that a plan takes. */
tl_status tl_plan_print(const tl_plan *plan, tl_text *text);

/* Copies `shape` elements between strided arrays, as DLPack and NumPy describe them: the addresses are those of the
 * elements whose indices are all 0, and strides count bytes. Strides have any sign, and those of the source may be 0.
 * Ranges of addresses that overlap are refused. */
tl_status tl_copy_strided(size_t rank, const size_t *shape, size_t element_bytes, const void *source,
                          const ptrdiff_t *source_strides, void *destination, const ptrdiff_t *destination_strides,
                          tl_text *error);

/* Plans such a copy, to run it many times. */
tl_status tl_copy_new(size_t rank, const size_t *shape, size_t element_bytes, const ptrdiff_t *source_strides,
                      const ptrdiff_t *destination_strides, tl_copy *copy, tl_text *error);

/* Runs a copy. */
tl_status tl_copy_run(const tl_copy *copy, const void *source, void *destination, tl_text *error);

/* tl_copy_run on all cores, as tl_plan_run_parallel. */
tl_status tl_copy_run_parallel(const tl_copy *copy, const void *source, void *destination, tl_text *error);

/* Moves a tensor to another layout and its elements to another type. One of the types is f32, the other one i8, u8, i16, u16,
 * i32, u32, i4, u4, f16, bf16, f32, f64, f8e4m3 or f8e5m2. Buffers begin at multiples of the sizes of their elements. */
tl_status tl_convert(const tl_layout *source_layout, const tl_layout *destination_layout,
                     const tl_conversion *conversion, const void *source, size_t source_bytes, void *destination,
                     size_t destination_bytes, tl_text *error);

/* Functions of records need a library for an operating system. Those that move elements allocate.
 *
 * Reads a record: "MK<4096, 4096>, ggml::Q4_0", or with its fields "MK<8, 64>, { d: f16, q: 32k i8 } = d * q". */
tl_status tl_record_parse(const char *text, size_t length, tl_record *record, tl_text *error);

/* Writes the record as a text that tl_record_parse reads, or what it is in words if `explain` is not 0. */
tl_status tl_record_print(const tl_record *record, int explain, tl_text *text);

/* Finds the bytes of a buffer. A record has those from number 0 up to the first for which this returns TL_NO_ELEMENT. */
tl_status tl_record_bytes(const tl_record *record, size_t buffer, size_t *bytes, tl_text *error);

/* Finds where an element of a field begins, in bits. The coordinate has an index for each axis of the record. The name of the
 * field ends with a 0. */
tl_status tl_record_offset(const tl_record *record, const char *field, const size_t *coordinate, size_t rank, uint64_t *bit,
                           tl_text *error);

/* Moves all fields to a record with the same fields, such as rows of blocks to blocks of eight rows. Each side has as many
 * buffers as its record. */
tl_status tl_record_move(const tl_record *source, const tl_record *destination, const tl_source *sources,
                         size_t source_count, const tl_destination *destinations, size_t destination_count,
                         tl_text *error);

/* Stores the numbers of a tensor in a record, and chooses their scales. `quantizer` is NULL, for that of the program which
 * has these blocks, or a name that ends with a 0: "absmax", "signed_max", "min_max", "affine", "mx", "mx_ggml", "nvfp4",
 * "fitted". */
tl_status tl_record_quantize(const tl_layout *layout, const tl_record *record, const char *quantizer, tl_source source,
                             const tl_destination *destinations, size_t count, tl_text *error);

/* Computes the values of a record. */
tl_status tl_record_dequantize(const tl_record *record, const tl_layout *layout, const tl_source *sources, size_t count,
                               tl_destination destination, tl_text *error);

/* Functions of files allocate, and need a library for an operating system. Paths end with a 0.
 *
 * Calls `found` for each tensor of `count` .safetensors, GGUF and .npy files; "model.safetensors.index.json" stands for those
 * that it lists. Headers alone are read. `found` returns, and throws nothing. */
tl_status tl_checkpoint_list(const char *const *files, size_t count,
                             void (*found)(void *state, const tl_stored_tensor *tensor), void *state, tl_text *error);

/* Makes one checkpoint of `count` files by rules in TOML, as `layout repack` does, or one for each of `ranks`. It takes `memory`
 * bytes for elements, or 256 MiB if that is 0. Outputs have their names when all are whole. */
tl_status tl_checkpoint_repack(const char *const *files, size_t count, const char *rules, size_t length,
                               const char *output, size_t ranks, size_t memory, tl_text *error);

#ifdef __cplusplus
}
#endif

#endif
