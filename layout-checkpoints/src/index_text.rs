//! The text of an index: `model.safetensors.index.json`.

use std::collections::BTreeMap;

use layout_types::files::MOST_TENSORS;
use serde::de::{Error, IgnoredAny};

use crate::json_object::json_object;

/// The tensors of each file, if the index lists some. All else is passed over.
pub(crate) struct IndexText(pub(crate) Option<WeightMap>);

type WeightMap = BTreeMap<String, Vec<String>>;

struct Files(WeightMap);

json_object! {
    IndexText, "an object with a `weight_map`", map => {
        let mut files = None;
        while let Some(key) = map.next_key::<String>()? {
            if key == "weight_map" {
                files = Some(map.next_value::<Files>()?.0);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(IndexText(files))
    }
}

json_object! {
    Files, "an object with the name of a file for each tensor", map => {
        let (mut files, mut count) = (WeightMap::new(), 0);
        while let Some((tensor, file)) = map.next_entry::<String, String>()? {
            files.entry(file).or_default().push(tensor);
            count += 1;
            if count > MOST_TENSORS {
                return Err(Error::custom(format!("it lists more than {MOST_TENSORS} tensors")));
            }
        }
        Ok(Files(files))
    }
}
