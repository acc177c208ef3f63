//! The text of an index: `model.safetensors.index.json`.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use crate::checkpoint_header::MOST_TENSORS;

/// The tensors of each file, if the index lists some. All else is passed over.
pub(crate) struct IndexText(pub(crate) Option<WeightMap>);

type WeightMap = BTreeMap<String, Vec<String>>;

struct Files(WeightMap);

impl<'de> Deserialize<'de> for IndexText {
    fn deserialize<D: Deserializer<'de>>(reading: D) -> Result<Self, D::Error> {
        struct Keys;

        impl<'de> Visitor<'de> for Keys {
            type Value = IndexText;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with a `weight_map`")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<IndexText, M::Error> {
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

        reading.deserialize_map(Keys)
    }
}

impl<'de> Deserialize<'de> for Files {
    fn deserialize<D: Deserializer<'de>>(reading: D) -> Result<Self, D::Error> {
        struct Names;

        impl<'de> Visitor<'de> for Names {
            type Value = Files;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with the name of a file for each tensor")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Files, M::Error> {
                let (mut files, mut count) = (WeightMap::new(), 0);
                while let Some((tensor, file)) = map.next_entry::<String, String>()? {
                    files.entry(file).or_default().push(tensor);
                    count += 1;
                    if count > MOST_TENSORS {
                        let most = format!("it lists more than {MOST_TENSORS} tensors");
                        return Err(M::Error::custom(most));
                    }
                }
                Ok(Files(files))
            }
        }

        reading.deserialize_map(Names)
    }
}
