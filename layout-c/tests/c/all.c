/* Every function of the header, against loops. It compiles as C and as C++. */
#include "tensor_layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char words[2000];
static tl_text error = {words, sizeof words, 0};

#define CHECK(condition)                                                               \
    do {                                                                               \
        if (!(condition)) {                                                            \
            fprintf(stderr, "line %d: %s; last error: %s\n", __LINE__, #condition, words); \
            exit(1);                                                                   \
        }                                                                              \
    } while (0)

static uint64_t state;

static size_t below(size_t end) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (size_t)(state % end);
}

static tl_layout parsed(const char *text) {
    tl_layout layout;
    CHECK(tl_parse(text, strlen(text), &layout, &error) == TL_OK);
    return layout;
}

static void layouts(void) {
    CHECK(tl_version() == TL_VERSION);
    tl_layout blocks = parsed("NCHW4<2, 6, 3, 3>, i8, pad");
    char printed[100];
    tl_text text = {printed, sizeof printed, 0};
    CHECK(tl_print(&blocks, &text) == TL_OK);
    strcpy(words, printed);
    CHECK(strcmp(printed, "NCHW4c<2, 6, 3, 3>, i8, pad") == 0);
    CHECK(text.length == strlen(printed));
    text.capacity = 5;
    CHECK(tl_print(&blocks, &text) == TL_OK && strcmp(printed, "NCHW") == 0 && text.length == 27);
    text.data = NULL;
    CHECK(tl_print(&blocks, &text) == TL_OK && text.length == 27);

    tl_facts facts;
    facts.size = sizeof facts;
    CHECK(tl_describe(&blocks, &facts) == TL_OK);
    CHECK(facts.rank == 4 && strcmp(facts.letters, "NCHW") == 0 && facts.extents[1] == 6);
    CHECK(facts.numel == 108 && facts.len == 144 && facts.bytes == 144 && facts.element_bits == 8);
    CHECK(!facts.has_strides);

    size_t found = 0;
    for (size_t offset = 0; offset < facts.len; offset++) {
        size_t at[4], again;
        tl_status status = tl_coordinate(&blocks, offset, at, 4, &error);
        size_t block = offset / 36 % 2, lane = offset % 4;
        CHECK(status == (block == 1 && lane > 1 ? TL_NO_ELEMENT : TL_OK));
        if (status != TL_OK) {
            continue;
        }
        CHECK(at[0] == offset / 72 && at[1] == block * 4 + lane && at[2] == offset / 12 % 3 && at[3] == offset / 4 % 3);
        CHECK(tl_offset(&blocks, at, 4, &again, &error) == TL_OK && again == offset);
        found++;
    }
    CHECK(found == facts.numel);

    const size_t extents[2] = {5, 7};
    const ptrdiff_t strides[2] = {1, -6};
    tl_layout strided;
    CHECK(tl_from_strides("MK", 2, extents, strides, "f32", &strided, &error) == TL_OK);
    CHECK(tl_describe(&strided, &facts) == TL_OK && facts.has_strides && facts.strides[1] == -6);
    tl_status explained = tl_explain(&blocks, &error);
    CHECK(explained == TL_OK && strstr(words, "padding") != NULL);
}

static void plans(void) {
    tl_layout last = parsed("NHWC<N = 2, C = 6, H = 3, W = 3>, u16");
    tl_layout blocks = parsed("NCHW4<2, 6, 3, 3>, u16, pad");
    tl_plan plan;
    CHECK(tl_plan_new(&last, &blocks, &plan, &error) == TL_OK);
    CHECK(tl_plan_print(&plan, &error) == TL_OK && strstr(words, "->") != NULL);
    uint64_t cost = 0, none = 1;
    CHECK(tl_relayout_cost(&last, &blocks, &cost, &error) == TL_OK && cost > 0);
    CHECK(tl_relayout_cost(&last, &last, &none, &error) == TL_OK && none == 0);
    uint16_t source[108], moved[144], back[108];
    for (int i = 0; i < 108; i++) {
        source[i] = (uint16_t)(1000 + i);
    }
    for (int parallel = 0; parallel < 2; parallel++) {
        memset(moved, 0xff, sizeof moved);
        CHECK((parallel ? tl_plan_run_parallel : tl_plan_run)(&plan, source, sizeof source, moved, sizeof moved,
                                                              &error) == TL_OK);
        for (size_t at = 0; at < 144; at++) {
            size_t channel = at / 36 % 2 * 4 + at % 4, place = at / 72 * 54 + at / 4 % 9 * 6 + channel;
            CHECK(moved[at] == (channel < 6 ? 1000 + place : 0));
        }
    }
    tl_plan other;
    CHECK(tl_plan_new(&blocks, &last, &other, &error) == TL_OK);
    CHECK(tl_plan_run(&other, moved, sizeof moved, back, sizeof back, &error) == TL_OK);
    CHECK(memcmp(source, back, sizeof back) == 0);
}

/* Random copies of up to five axes, in any direction and with sources that are broadcast. */
static void copies(size_t count) {
    static uint8_t source[60000], destination[60000], expected[60000];
    for (size_t i = 0; i < sizeof source; i++) {
        source[i] = (uint8_t)(i * 167 >> 3);
    }
    for (size_t number = 0; number < count; number++) {
        size_t rank = below(6), shape[5], order[5], bytes = (size_t)1 << below(4), i;
        ptrdiff_t from[5] = {0}, to[5] = {0}, from_start = 20000, to_start = 0, step = (ptrdiff_t)bytes;
        bytes -= bytes == 8 && below(2) ? 3 : 0;
        for (i = 0; i < rank; i++) {
            shape[i] = below(60) == 0 ? 0 : 1 + below(5), order[i] = i;
        }
        for (i = rank; i > 1; i--) {
            size_t j = below(i), kept = order[j];
            order[j] = order[i - 1], order[i - 1] = kept;
        }
        for (i = 0; i < rank; i++) {
            to[order[i]] = step, step = step * (ptrdiff_t)(shape[order[i]] ? shape[order[i]] : 1) + (ptrdiff_t)below(3);
            from[i] = (ptrdiff_t)below(900) - 400;
            if (below(4) == 0) {
                to_start += (ptrdiff_t)(shape[order[i]] ? shape[order[i]] - 1 : 0) * to[order[i]];
                to[order[i]] = -to[order[i]];
            }
        }
        memset(destination, 0xa5, sizeof destination);
        memset(expected, 0xa5, sizeof expected);
        size_t all = 1;
        for (i = 0; i < rank; i++) {
            all *= shape[i];
        }
        for (size_t one = 0; one < all; one++) {
            size_t rest = one;
            ptrdiff_t at = from_start, place = to_start;
            for (i = 0; i < rank; i++) {
                at += (ptrdiff_t)(rest % shape[i]) * from[i], place += (ptrdiff_t)(rest % shape[i]) * to[i];
                rest /= shape[i];
            }
            memcpy(expected + place, source + at, bytes);
        }
        tl_copy copy;
        CHECK(tl_copy_strided(rank, shape, bytes, source + from_start, from, destination + to_start, to, &error) ==
              TL_OK);
        CHECK(memcmp(destination, expected, sizeof expected) == 0);
        memset(destination, 0xa5, sizeof destination);
        CHECK(tl_copy_new(rank, shape, bytes, from, to, &copy, &error) == TL_OK);
        CHECK((number % 2 ? tl_copy_run : tl_copy_run_parallel)(&copy, source + from_start, destination + to_start,
                                                               &error) == TL_OK);
        CHECK(memcmp(destination, expected, sizeof expected) == 0);
    }
}

static void conversions(void) {
    tl_layout floats = parsed("MK<2, 3>, f32"), bytes = parsed("KM<M = 2, K = 3>, i8");
    const float source[6] = {0.5f, -1, 2.25f, 100, -100, 0.125f}, scales[2] = {0.5f, 1};
    const int32_t zeros[2] = {1, 0};
    tl_conversion each = {sizeof each, TL_QUANTIZE, 'M', 2, scales, zeros, NULL, 0, 0};
    int8_t codes[6];
    CHECK(tl_convert(&floats, &bytes, &each, source, sizeof source, codes, sizeof codes, &error) == TL_OK);
    const int8_t expected[6] = {2, 100, -1, -100, 5, 0}; /* 4.5 goes to the even 4 */
    CHECK(memcmp(codes, expected, sizeof codes) == 0);
    each.half_away = 1;
    CHECK(tl_convert(&floats, &bytes, &each, source, sizeof source, codes, sizeof codes, &error) == TL_OK);
    CHECK(codes[4] == 6);
    float again[6];
    tl_conversion one = {sizeof one, TL_DEQUANTIZE, 0, 1, scales, NULL, NULL, 0, 0};
    CHECK(tl_convert(&bytes, &floats, &one, codes, sizeof codes, again, sizeof again, &error) == TL_OK);
    CHECK(again[0] == 1 && again[3] == 50);
    tl_conversion cast = {sizeof cast, TL_CAST, 0, 0, NULL, NULL, NULL, 0, 0};
    CHECK(tl_convert(&bytes, &floats, &cast, codes, sizeof codes, again, sizeof again, &error) == TL_OK);
    CHECK(again[4] == -100);
    tl_layout none = parsed("MK<0, 3>, f32"), nothing = parsed("MK<0, 3>, i8");
    CHECK(tl_convert(&none, &nothing, &cast, NULL, 0, NULL, 0, &error) == TL_OK);
    each.zero_points = NULL;
    CHECK(tl_convert(&floats, &bytes, &each, source, sizeof source, codes, sizeof codes, &error) == TL_ERROR_ARGUMENT);
    CHECK(strstr(words, "`zero_points` is NULL") != NULL);
}

/* Wrong input has a status and a sentence, and writes nothing. */
static void wrong(void) {
    tl_layout layout, four = parsed("NHWC<N = 1, C = 4, H = 1, W = 1>, u8"), two = parsed("MK<2, 3>, f32"), none;
    tl_plan plan;
    uint8_t bytes[24] = {0};
    size_t at[4] = {0, 4, 0, 0}, offset;
    memset(&none, 0, sizeof none);
    CHECK(tl_parse(TL_STRING("NCHW4<2, 63, 3, 3>, f16"), &layout, &error) == TL_ERROR_TEXT);
    CHECK(strstr(words, "write 60 or 64") != NULL);
    CHECK(tl_parse("\xff", 1, &layout, &error) == TL_ERROR_TEXT);
    CHECK(tl_parse(NULL, 4, &layout, &error) == TL_ERROR_ARGUMENT);
    CHECK(tl_parse(TL_STRING("MK<2, 3>, f32"), NULL, &error) == TL_ERROR_ARGUMENT);
    CHECK(tl_print(&none, &error) == TL_ERROR_VERSION);
    CHECK(tl_offset(&four, at, 4, &offset, &error) == TL_ERROR_RULE);
    CHECK(tl_offset(&four, at, 3, &offset, &error) == TL_ERROR_RULE);
    CHECK(tl_coordinate(&four, 0, at, 3, &error) == TL_ERROR_RULE);
    CHECK(tl_coordinate(&four, 4, at, 4, &error) == TL_NO_ELEMENT);
    CHECK(tl_plan_new(&four, &two, &plan, &error) == TL_ERROR_RULE);
    CHECK(tl_plan_new(&two, &two, &plan, &error) == TL_OK);
    CHECK(tl_plan_run(&plan, bytes, 24, bytes, 24, &error) == TL_ERROR_MEMORY);
    CHECK(strstr(words, "overlap") != NULL);
    uint8_t others[24];
    CHECK(tl_plan_run(&plan, bytes, 23, others, 24, &error) == TL_ERROR_MEMORY);
    CHECK(strstr(words, "23 bytes") != NULL);
    const size_t shape[2] = {2, 3}, huge[2] = {SIZE_MAX / 2, SIZE_MAX / 2};
    const ptrdiff_t rows[2] = {3, 1}, still[2] = {0, 1};
    CHECK(tl_copy_strided(2, shape, 1, bytes, rows, others, still, &error) == TL_ERROR_RULE);
    CHECK(tl_copy_strided(2, huge, 1, bytes, still, others, rows, &error) == TL_ERROR_RULE);
    CHECK(tl_copy_strided(2, shape, 1, bytes, rows, bytes + 5, rows, &error) == TL_ERROR_MEMORY);
    CHECK(tl_copy_strided(2, shape, 1, NULL, rows, others, rows, &error) == TL_ERROR_ARGUMENT);
    CHECK(tl_copy_strided(2, NULL, 1, bytes, rows, others, rows, &error) == TL_ERROR_ARGUMENT);
    CHECK(tl_from_strides("MK", 2, shape, rows, "real", &layout, &error) == TL_ERROR_TEXT);
    tl_conversion cast = {0, TL_CAST, 0, 0, NULL, NULL, NULL, 0, 0};
    CHECK(tl_convert(&two, &two, &cast, bytes, 24, others, 24, &error) == TL_ERROR_ARGUMENT);
    cast.size = sizeof cast, cast.kind = 9;
    CHECK(tl_convert(&two, &two, &cast, bytes, 24, others, 24, &error) == TL_ERROR_ARGUMENT);
    cast.kind = TL_CAST;
    CHECK(tl_convert(&four, &four, &cast, bytes, 4, others, 4, &error) == TL_ERROR_UNSUPPORTED);
    tl_facts facts;
    facts.size = 8;
    CHECK(tl_describe(&two, &facts) == TL_ERROR_ARGUMENT);
}

/* Blocks of ggml's Q8_0: a scale in half precision and 32 bytes. */
static void records(void) {
    tl_record rows, packed;
    CHECK(tl_record_parse(TL_STRING("MK<8, 64>, ggml::Q8_0"), &rows, &error) == TL_OK);
    CHECK(tl_record_parse(TL_STRING("MK<8, 64>, ggml::q8_0x4_8"), &packed, &error) == TL_OK);
    size_t bytes, none;
    CHECK(tl_record_bytes(&rows, 0, &bytes, &error) == TL_OK && bytes == 8 * 2 * 34);
    CHECK(tl_record_bytes(&rows, 1, &none, &error) == TL_NO_ELEMENT);
    tl_record two;
    CHECK(tl_record_parse(TL_STRING("<K = 0, M = 3>, { a: K u8; b: M u8 }"), &two, &error) == TL_OK);
    CHECK(tl_record_bytes(&two, 0, &none, &error) == TL_OK && none == 0);
    CHECK(tl_record_bytes(&two, 1, &none, &error) == TL_OK && none == 3);
    CHECK(tl_record_print(&rows, 0, &error) == TL_OK && strstr(words, "f16") != NULL);
    CHECK(tl_record_print(&rows, 1, &error) == TL_OK && strstr(words, "544 bytes") != NULL);

    static float numbers[512], back[512];
    static uint8_t blocks[544], others[544], again[544];
    for (int i = 0; i < 512; i++) {
        numbers[i] = (float)(i % 32 - 16) / 16 * 127;
    }
    tl_layout plain = parsed("MK<8, 64>, f32");
    const tl_source from = {numbers, sizeof numbers}, read = {blocks, 544}, moved = {others, 544};
    const tl_destination to = {back, sizeof back}, written = {blocks, 544}, turned = {others, 544}, returned = {again, 544};
    CHECK(tl_record_quantize(&plain, &rows, NULL, from, &written, 1, &error) == TL_OK);
    for (size_t block = 0; block < 16; block++) {
        /* The greatest magnitude is 127, so the scale is 1. */
        CHECK(blocks[34 * block] == 0 && blocks[34 * block + 1] == 0x3c);
        CHECK((int8_t)blocks[34 * block + 2] == -127 && (int8_t)blocks[34 * block + 33] == 119);
    }
    CHECK(tl_record_move(&rows, &packed, &read, 1, &turned, 1, &error) == TL_OK);
    CHECK(tl_record_move(&packed, &rows, &moved, 1, &returned, 1, &error) == TL_OK);
    CHECK(memcmp(blocks, again, 544) == 0 && memcmp(blocks, others, 544) != 0);
    CHECK(tl_record_dequantize(&packed, &plain, &moved, 1, to, &error) == TL_OK);
    for (size_t i = 0; i < 512; i++) {
        size_t at[2] = {i / 64, i % 64};
        uint64_t bit;
        CHECK(tl_record_offset(&rows, "q", at, 2, &bit, &error) == TL_OK && bit % 8 == 0);
        CHECK(back[i] == (float)(int8_t)blocks[bit / 8]);
    }

    size_t beyond[2] = {8, 0};
    uint64_t bit;
    CHECK(tl_record_parse(TL_STRING("MK<8, 63>, ggml::Q8_0"), &rows, &error) == TL_ERROR_RULE);
    CHECK(tl_record_offset(&rows, "q", beyond, 2, &bit, &error) == TL_ERROR_RULE);
    CHECK(tl_record_offset(&rows, "x", beyond, 2, &bit, &error) == TL_ERROR_RULE);
    CHECK(tl_record_quantize(&plain, &rows, "best", from, &written, 1, &error) == TL_ERROR_RULE);
    CHECK(tl_record_quantize(&plain, &rows, NULL, from, NULL, 1, &error) == TL_ERROR_ARGUMENT);
    CHECK(tl_record_quantize(&plain, &rows, NULL, from, &written, 0, &error) == TL_ERROR_RULE);
    CHECK(tl_record_move(&rows, &packed, &read, 1, &written, 1, &error) == TL_ERROR_MEMORY);
    CHECK(tl_record_bytes((const tl_record *)blocks, 0, &bytes, &error) == TL_ERROR_VERSION);
}

static void found(void *sum, const tl_stored_tensor *tensor) {
    size_t *all = (size_t *)sum;
    CHECK(tensor->size == sizeof *tensor && tensor->rank == 2 && strstr(tensor->file, ".safetensors") != NULL);
    CHECK(strcmp(tensor->name, "weight") == 0 && strcmp(tensor->element, "u8") == 0);
    CHECK(tensor->bytes == tensor->shape[0] * tensor->shape[1]);
    CHECK(all[1] ? strncmp(tensor->layout, "KM<", 3) == 0 : tensor->layout == NULL);
    all[0] += tensor->bytes, all[1] += tensor->at;
}

/* A file of one tensor, and the same transposed. Files lie in the folder of the program's call. */
static void files(void) {
    const char *const input = "given.safetensors", *const output = "moved.safetensors", *const none = "none.gguf";
    const char header[] = "{\"weight\":{\"dtype\":\"U8\",\"shape\":[2,3],\"data_offsets\":[0,6]}}";
    const uint8_t length[8] = {sizeof header - 1}, bytes[6] = {1, 2, 3, 4, 5, 6}, moved[6] = {1, 4, 2, 5, 3, 6};
    FILE *file = fopen(input, "wb");
    CHECK(file != NULL && fwrite(length, 1, 8, file) == 8 && fwrite(header, 1, sizeof header - 1, file) > 0);
    CHECK(fwrite(bytes, 1, 6, file) == 6 && fclose(file) == 0);
    size_t sum[2] = {0, 0};
    CHECK(tl_checkpoint_list(&input, 1, found, sum, &error) == TL_OK && sum[0] == 6 && sum[1] == 8 + sizeof header - 1);
    CHECK(tl_checkpoint_repack(&input, 1, TL_STRING("[[rule]]\nmatch = '*'\naxes = 'MK'\nto = 'KM'"), output, 1, 0,
                               &error) == TL_OK);
    CHECK(tl_checkpoint_list(&output, 1, found, sum, &error) == TL_OK && sum[0] == 12);
    uint8_t stored[1000];
    file = fopen(output, "rb");
    CHECK(file != NULL);
    size_t all = fread(stored, 1, sizeof stored, file);
    CHECK(fclose(file) == 0 && all > 6 && memcmp(stored + all - 6, moved, 6) == 0);

    CHECK(tl_checkpoint_list(&none, 1, found, sum, &error) == TL_ERROR_FILE && strstr(words, "none.gguf: ") != NULL);
    CHECK(tl_checkpoint_list(&input, 1, NULL, sum, &error) == TL_ERROR_ARGUMENT);
    CHECK(tl_checkpoint_list(NULL, 1, found, sum, &error) == TL_ERROR_ARGUMENT);
    CHECK(tl_checkpoint_repack(&input, 1, TL_STRING("[[rule]]"), output, 1, 0, &error) == TL_ERROR_FILE);
    CHECK(tl_checkpoint_repack(&input, 1, TL_STRING("[[rule]]\nmatch = '*'"), input, 1, 0, &error) == TL_ERROR_FILE);
    CHECK(tl_checkpoint_repack(&input, 1, TL_STRING("[[rule]]\nmatch = '*'"), "moved.bin", 1, 0, &error) ==
          TL_ERROR_FILE);
    CHECK(remove(input) == 0 && remove(output) == 0);
}

int main(int count, char **arguments) {
    state = count > 1 ? strtoull(arguments[1], NULL, 10) | 1 : 1;
    layouts();
    plans();
    copies(3000);
    conversions();
    records();
    files();
    wrong();
    puts("all is well");
    return 0;
}
