//! Whole files: all test functions in one language, and what calls them.

use std::fmt::Write;

use tensor_layout::source::Language;

use crate::programs::Subject;

/// The functions of all layouts and their test functions.
fn functions(language: Language, subjects: &[Subject]) -> String {
    subjects.iter().map(|subject| subject.program(language) + "\n").collect()
}

/// A program in C or C++ that compares all test functions with the numbers in the file that it is given.
/// It prints `all`, or what is wrong.
pub fn program(language: Language, subjects: &[Subject]) -> String {
    let mut text = "#include <stdio.h>\n#include <stdint.h>\n".to_owned();
    if language == Language::Cuda {
        text += "#define __host__\n#define __device__\n";
    }
    text += &functions(language, subjects);
    text += COMPARE;
    for subject in subjects {
        let (test, count) = (&subject.name[1..], subject.numbers());
        let _ = writeln!(
            text,
            "    all = all && compare(\"test_{test}\", test_{test}, {count}u, file);"
        );
    }
    text + "    puts(!all ? \"\" : fgetc(file) == EOF ? \"all\" : \"too many numbers\");\n    return 0;\n}\n"
}

const COMPARE: &str = r#"
static int compare(const char *name, uint32_t (*test)(uint32_t), uint32_t count, FILE *file)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t want;
        if (fread(&want, 4, 1, file) != 1) { printf("too few numbers: "); return 0; }
        uint32_t got = test(i);
        if (got != want) { printf("%s(%u) is %u, not %u\n", name, i, got, want); return 0; }
    }
    return 1;
}

int main(int count, char **arguments)
{
    FILE *file = fopen(arguments[count - 1], "rb");
    int all = 1;
"#;

/// What all test functions return, one after another.
pub fn expected(subjects: &[Subject]) -> Vec<u32> {
    let numbers = |subject: &Subject| -> Vec<u32> {
        (0..subject.numbers()).map(|number| subject.expected(number)).collect()
    };
    subjects.iter().flat_map(numbers).collect()
}

/// The calls that [`expected`] is of: the position of a layout in the list, and a number.
pub fn calls(subjects: &[Subject]) -> Vec<[u32; 2]> {
    let subjects = subjects.iter().enumerate();
    subjects
        .flat_map(|(i, subject)| (0..subject.numbers()).map(move |n| [i as u32, n as u32]))
        .collect()
}

/// A compute kernel `run` over a list of [`calls`] and a list of results. In OpenCL C it has a third list of
/// bytes, four for each call.
pub fn kernel(language: Language, subjects: &[Subject]) -> String {
    let (begin, cases, end) = match language {
        Language::OpenCl => (
            "__kernel void run(__global const uint2 *calls, __global uint *results, __global uchar *bytes)\n{\n    \
             const size_t at = get_global_id(0);\n    const uint2 call = calls[at];\n    uint result = 0u;\n    \
             switch (call.x) {\n",
            "case 0: { result = test_0(call.y, bytes + 4 * at); break; }",
            "    }\n    results[at] = result;\n}\n",
        ),
        Language::Cuda => (
            "__global__ void run(const uint2 *calls, unsigned int *results)\n{\n    \
             const uint2 call = calls[0];\n    unsigned int result = 0u;\n    switch (call.x) {\n",
            "case 0: { result = test_0(call.y); break; }",
            "    }\n    results[0] = result;\n}\n",
        ),
        Language::Wgsl => (
            "@group(0) @binding(0) var<storage, read> calls: array<vec2<u32>>;\n\
             @group(0) @binding(1) var<storage, read_write> results: array<u32>;\n\n\
             @compute @workgroup_size(64)\n\
             fn run(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {\n    \
             let at = id.x;\n    if (at >= arrayLength(&calls)) { return; }\n    let call = calls[at];\n    \
             var result = 0u;\n    switch (call.x) {\n",
            "case 0u: { result = test_0(call.y); }",
            "        default: { }\n    }\n    results[at] = result;\n}\n",
        ),
        _ => (
            "layout(std430, binding = 0) readonly buffer Calls { uvec2 calls[]; };\n\
             layout(std430, binding = 1) buffer Results { uint results[]; };\n\
             layout(local_size_x = 64) in;\n\nvoid main()\n{\n    const uint at = gl_GlobalInvocationID.x;\n    \
             if (at >= calls.length()) { return; }\n    const uvec2 call = calls[at];\n    uint result = 0u;\n    \
             switch (call.x) {\n",
            "case 0u: { result = test_0(call.y); break; }",
            "    }\n    results[at] = result;\n}\n",
        ),
    };
    let version = if language == Language::Glsl { "#version 450\n" } else { "" };
    let mut text = version.to_owned() + &functions(language, subjects) + begin;
    for (i, subject) in subjects.iter().enumerate() {
        let case = cases.replacen('0', &i.to_string(), 1);
        let case = case.replace("test_0", &format!("test_{}", &subject.name[1..]));
        let _ = writeln!(text, "        {case}");
    }
    text + end
}
