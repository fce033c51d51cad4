import Testing
import TextEncodings

@Suite struct Base64Tests {
    /// The vectors of RFC 4648.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func vectors(plain: String, encoded: String) {
        #expect(Base64.encode(Array(plain.utf8)) == encoded)
        #expect(Base64.decode(encoded) == Array(plain.utf8))
    }

    @Test func everyByteComesBack() {
        let bytes = (0...255).map { UInt8($0) }
        #expect(Base64.decode(Base64.encode(bytes)) == bytes)
    }

    @Test func spacesAreSkippedAndOtherCharactersRefused() {
        #expect(Base64.decode(" Zm9v\n\tYg== ") == Array("foob".utf8))
        #expect(Base64.decode("Zm9v!") == nil)
        #expect(Base64.decode("Zm9vY") == nil)
        #expect(Base64.decode("Zg==Zg==") == nil)
    }

    @Test(arguments: ["Zm8", "Zm9v", " Zm9v\nYg", "Zm9vY\tg= ="])
    func missingPaddingAndSpacesAreAcceptedByBoth(text: String) throws {
        #expect(try Base64.decode(text.utf8.span, .alphabet) == Base64.decode(text))
    }
}
