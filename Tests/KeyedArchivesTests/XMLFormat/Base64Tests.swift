import KeyedArchives
import Testing

@Suite struct Base64Tests {
    /// The vectors of RFC 4648.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func vectors(plain: String, encoded: String) {
        #expect(Base64.encode(Array(plain.utf8)) == encoded)
        #expect(Base64.decode(encoded.utf8) == Array(plain.utf8))
    }

    @Test func everyByteComesBack() {
        let bytes = (0...255).map { UInt8($0) }
        #expect(Base64.decode(Base64.encode(bytes).utf8) == bytes)
    }

    @Test func spacesAreSkippedAndOtherCharactersRefused() {
        #expect(Base64.decode(" Zm9v\n\tYg== ".utf8) == Array("foob".utf8))
        #expect(Base64.decode("Zm9v!".utf8) == nil)
        #expect(Base64.decode("Zm9vY".utf8) == nil)
        #expect(Base64.decode("Zg==Zg==".utf8) == nil)
    }
}
