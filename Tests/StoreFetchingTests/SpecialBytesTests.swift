import Testing

@testable import StoreFetching

@Suite struct SpecialBytesTests {
    /// Every byte at every place of texts longer and shorter than the words in which they are searched.
    @Test(arguments: [nil, UInt8(ascii: "\\"), 0xFF] as [UInt8?])
    func aSpecialByteIsFoundAtEveryPlace(escape: UInt8?) {
        let special = SpecialBytes(UInt8(ascii: ";"), UInt8(ascii: "'"), escape)
        let wanted: Set<UInt8> = Set([0x3B, 0x27, 0x0A, 0x0D] + [escape].compactMap(\.self))
        for byte in UInt8.min...UInt8.max {
            #expect(special.contains(byte) == wanted.contains(byte))
            for length in 1...19 {
                for place in 0..<length {
                    // Neighbours of what is looked for: a borrow must not run into the next byte.
                    for other in [UInt8(ascii: "a"), 0x3A, 0x3C, 0x26, 0x28, 0x80, 0xFE] where !wanted.contains(other) {
                        var text = [UInt8](repeating: other, count: length)
                        text[place] = byte
                        if special.isAny(in: text.span) != wanted.contains(byte) {
                            Issue.record("\(byte) at \(place) of \(length) among \(other)")
                        }
                    }
                }
            }
        }
        let isFoundInNothing = special.isAny(in: [UInt8]().span)
        #expect(!isFoundInNothing)
    }
}
