import TextEncodings
import Testing

@Suite struct TextEncodingsTests {
    @Test(arguments: ["", "a", "ab", "abc", "abcd", "Grüße"])
    func hexadecimalComesBack(text: String) {
        let bytes = Array(text.utf8)
        let hex = Hexadecimal.encode(bytes)
        #expect(hex.utf8.count == bytes.count * 2)
        #expect(Hexadecimal.decode(hex) == bytes)
        #expect(Hexadecimal.decode(hex.uppercased()) == bytes)
    }

    @Test(arguments: ["0", "0g", "0x00", " 00", "00 ", "é"])
    func otherTextIsNotHexadecimal(text: String) {
        #expect(Hexadecimal.decode(text) == nil)
    }

    @Test func eachByteOfAUUIDHasItsDigits() {
        for byte in UInt8.min...UInt8.max {
            let bytes = (0..<16).map { byte &+ UInt8($0) &* 17 }
            let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
            let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
            #expect(UUIDText.text(bytes) == groups.joined(separator: "-"))
        }
        #expect(UUIDText.text([1, 2, 3, 0xA4, 0x5F]) == "010203A4-5F")
    }

    @Test func aUUIDComesBackInCapitals() {
        let text = "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"
        #expect(UUIDText.bytes(text).map(UUIDText.text) == text.uppercased())
        #expect(UUIDText.bytes(text)?.prefix(3) == [0xE6, 0x21, 0xE1])
    }

    @Test(arguments: [
        "", "e621e1f8c36c495a93fc0c247a3e6e5f", "e621e1f-8c36c-495a-93fc-0c247a3e6e5f",
        "e621e1f8-c36c-495a-93fc-0c247a3e6e5", "e621e1f8-c36c-495a-93fc-0c247a3e6e5fa",
        "g621e1f8-c36c-495a-93fc-0c247a3e6e5f", "é621e1f8-c36c-495a-93fc-0c247a3e6e5",
    ])
    func otherTextIsNoUUID(text: String) {
        #expect(UUIDText.bytes(text) == nil)
    }

    @Test(arguments: [0, 0x7F, 0x80, 0x7FF, 0x800, 0xFFFD, 0xFFFF, 0x10000, 0x10FFFF] as [UInt32])
    func aCodePointIsWrittenAsTheStandardLibraryDoes(codePoint: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(codePoint))
        var bytes: [UInt8] = []
        bytes.append(codePoint: codePoint)
        #expect(bytes == Array(String(scalar).utf8))
    }

    @Test func halfOfASurrogatePairTakesThreeBytes() {
        var bytes: [UInt8] = []
        bytes.append(codePoint: 0xD83D)
        #expect(bytes == [0xED, 0xA0, 0xBD])
    }

    @Test func borrowedBytesAreCopiedToTheEnd() {
        let added: [UInt8] = [3, 4]
        var bytes: [UInt8] = [1, 2]
        bytes.append(copying: added.span)
        #expect(bytes == [1, 2, 3, 4])
    }
}
