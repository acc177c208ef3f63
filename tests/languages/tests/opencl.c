// Runs a kernel of OpenCL C over a file of calls, and compares its results with a file of numbers.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cl_int error, const char *what)
{
    if (error != CL_SUCCESS) {
        fprintf(stderr, "%s: error %d of OpenCL\n", what, error);
        exit(1);
    }
}

// A file with a 0 after it.
static char *read(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    if (!file) { perror(path); exit(1); }
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*length + 1);
    if (fread(bytes, 1, *length, file) != *length) { perror(path); exit(1); }
    bytes[*length] = 0;
    fclose(file);
    return bytes;
}

int main(int count, char **arguments)
{
    if (count != 4) { return 2; }
    size_t text_length, calls_length, numbers_length;
    const char *text = read(arguments[1], &text_length);
    char *calls = read(arguments[2], &calls_length);
    const cl_uint *numbers = (const cl_uint *)read(arguments[3], &numbers_length);
    size_t items = numbers_length / 4;

    cl_platform_id platform;
    cl_device_id device;
    cl_int error;
    char name[200];
    check(clGetPlatformIDs(1, &platform, NULL), "no platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "no device");
    check(clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL), "no name");
    printf("%s\n", name);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    check(error, "no context");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
    check(error, "no queue");
    cl_program program = clCreateProgramWithSource(context, 1, &text, &text_length, &error);
    check(error, "no program");
    error = clBuildProgram(program, 1, &device, "-cl-std=CL1.2 -Werror", NULL, NULL);
    if (error != CL_SUCCESS) {
        static char log[100000];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fprintf(stderr, "%s\n", log);
    }
    check(error, "the program does not build");

    cl_kernel kernel = clCreateKernel(program, "run", &error);
    check(error, "no kernel");
    cl_mem lists[3];
    lists[0] = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, calls_length, calls, &error);
    check(error, "no memory for calls");
    lists[1] = clCreateBuffer(context, CL_MEM_READ_WRITE, 4 * items, NULL, &error);
    check(error, "no memory for results");
    lists[2] = clCreateBuffer(context, CL_MEM_READ_WRITE, 4 * items, NULL, &error);
    check(error, "no memory for bytes");
    for (cl_uint i = 0; i < 3; i++) {
        check(clSetKernelArg(kernel, i, sizeof lists[i], &lists[i]), "an argument");
    }
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL), "run");
    cl_uint *results = malloc(4 * items);
    check(clEnqueueReadBuffer(queue, lists[1], CL_TRUE, 0, 4 * items, results, 0, NULL, NULL), "read");

    for (size_t i = 0; i < items; i++) {
        if (results[i] != numbers[i]) {
            const cl_uint *call = (const cl_uint *)calls + 2 * i;
            printf("test %u(%u) is %u, not %u\n", call[0], call[1], results[i], numbers[i]);
            return 0;
        }
    }
    printf("all\n");
    return 0;
}
