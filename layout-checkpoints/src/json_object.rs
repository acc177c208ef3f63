//! Types that are read from objects in JSON.

/// Reads a type from an object: what it is for errors, and how its entries become the value.
macro_rules! json_object {
    ($type:ty, $expected:literal, $map:ident => $read:block) => {
        impl<'de> serde::de::Deserialize<'de> for $type {
            fn deserialize<D: serde::de::Deserializer<'de>>(reading: D) -> Result<Self, D::Error> {
                struct Entries;

                impl<'de> serde::de::Visitor<'de> for Entries {
                    type Value = $type;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str($expected)
                    }

                    fn visit_map<M: serde::de::MapAccess<'de>>(
                        self,
                        mut $map: M,
                    ) -> Result<$type, M::Error> {
                        $read
                    }
                }

                reading.deserialize_map(Entries)
            }
        }
    };
}

pub(crate) use json_object;
