//! What safe code could once use to reach memory outside of a buffer. Each is refused, or leaves what lies around the
//! buffer as it was.

use tensor_layout::spec::Rule;
use tensor_layout::{Dynamic, Layout, LayoutError, Plan, Tensor};

/// Parts that do not hold all elements: of a tensor of one such part, every access was one outside of its buffer.
#[test]
fn parts_hold_all_elements_of_their_layout() {
    let whole = Layout::parse("MN<16, 16>, u8").unwrap();
    let mut memory = vec![0u8; 512];
    let mut refused = 0;
    for (start, length) in [(0, 1), (0, 255), (1, 255), (0, usize::MAX), (255, 1), (usize::MAX, 2)]
    {
        let part = match whole.part(start, length) {
            Ok(part) => part,
            Err(_) => {
                refused += 1;
                continue;
            }
        };
        // Without the check, each of these writes outside.
        let buffer = &mut memory[..std::hint::black_box(part.len())];
        let plan = Plan::const_new(&whole, &part).unwrap();
        plan.run(&[7; 256], buffer).unwrap();
        let view = Dynamic::<u8, 2>::new(part).unwrap();
        Tensor::with_layout(view, buffer).unwrap().for_each_mut(|_, element| *element = 7).unwrap();
    }
    assert_eq!((refused, memory.iter().filter(|byte| **byte > 0).count()), (6, 0));

    let rows = whole.slice('M', 4, 1, 2).unwrap();
    assert_eq!(rows.part(64, 32).unwrap().offset(&[1, 15]), 31);
    assert_eq!(rows.part(65, 32), Err(LayoutError(Rule::OutsideOfBuffer { length: 32 })));
    let beyond = Rule::WithinBuffer { start: 240, span: 17, length: 256 };
    assert_eq!(whole.part(240, 17), Err(LayoutError(beyond)));
    let swizzled = Layout::parse("MK<16, 64>, f16, swizzle(3, 3, 3)").unwrap();
    let rows = swizzled.slice('M', 8, 1, 8).unwrap();
    assert_eq!(rows.part(512, 512).unwrap().offset(&[0, 0]), 0);
    let odd = Rule::SwizzleStart { start: 64, period: 512 };
    assert_eq!(rows.part(64, 960), Err(LayoutError(odd)));
    // Without coordinates nothing has to be held.
    let empty = whole.slice('M', 3, 1, 0).unwrap();
    assert!(empty.part(5, 7).is_ok() && empty.part(5, usize::MAX).is_err());
}
