/* Moves a camera's frame to planes of floats: bytes in the order H, W, C, to NCHW, normalized. */
#include "tensor_layout.h"

#include <stdio.h>
#include <stdlib.h>

/* Ends the program with what is wrong. */
static void check(tl_status status, const tl_text *error) {
    if (status != TL_OK) {
        fprintf(stderr, "%s\n", error->data);
        exit(1);
    }
}

int main(void) {
    static uint8_t frame[4 * 6 * 3];
    static float planes[3 * 4 * 6];
    char words[500];
    tl_text error = {words, sizeof words, 0};

    for (size_t i = 0; i < sizeof frame; i++) {
        frame[i] = (uint8_t)i;
    }
    tl_layout camera, model;
    check(tl_parse(TL_STRING("HWC<H = 4, W = 6, C = 3>, u8"), &camera, &error), &error);
    check(tl_parse(TL_STRING("CHW<3, 4, 6>, f32"), &model, &error), &error);

    const float means[3] = {123.7f, 116.3f, 103.5f};
    const float scales[3] = {1 / 58.4f, 1 / 57.1f, 1 / 57.4f};
    tl_conversion normalize = {sizeof normalize, TL_NORMALIZE, 'C', 3, scales, NULL, means, 0, 0};
    check(tl_convert(&camera, &model, &normalize, frame, sizeof frame, planes, sizeof planes, &error), &error);

    const size_t pixel[3] = {1, 2, 3}; /* the channel, the row, the column */
    size_t offset;
    check(tl_offset(&model, pixel, 3, &offset, &error), &error);
    printf("green at row 2, column 3: %.4f\n", planes[offset]);
    return 0;
}
