/* Transposes a matrix that is part of a larger one, as engines hold it: an address, a shape and strides. */
#include "tensor_layout.h"

#include <stdio.h>

int main(void) {
    float all[8][10], columns[5][3];
    for (int i = 0; i < 80; i++) {
        all[i / 10][i % 10] = (float)i;
    }
    /* 3 rows of 5 from row 2 and column 4 on. Strides count bytes. */
    const size_t shape[2] = {3, 5};
    const ptrdiff_t from[2] = {10 * sizeof(float), sizeof(float)};
    const ptrdiff_t to[2] = {sizeof(float), 3 * sizeof(float)};
    char words[300];
    tl_text error = {words, sizeof words, 0};
    if (tl_copy_strided(2, shape, sizeof(float), &all[2][4], from, columns, to, &error) != TL_OK) {
        fprintf(stderr, "%s\n", words);
        return 1;
    }
    printf("%g %g %g\n", columns[4][0], columns[4][1], columns[4][2]); /* 28 38 48 */
    return 0;
}
