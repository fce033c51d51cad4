import TextEncodings

/// The bytes of a UUID in three notations.
func notations(ofUUID text: String) -> [String]? {
    guard let bytes = UUIDText.bytes(text) else { return nil }
    return [UUIDText.text(bytes), Hexadecimal.encode(bytes), Base64.encode(bytes)]
}
