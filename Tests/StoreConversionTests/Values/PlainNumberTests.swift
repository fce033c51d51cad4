import Testing

@testable import StoreConversion

extension PlainNumber {
    fileprivate static func integer(_ text: ArraySlice<UInt8>) -> Int64? { integer(text.span) }
    fileprivate static func real(_ text: ArraySlice<UInt8>) -> Double? { real(text.span) }
    fileprivate static func single(_ text: ArraySlice<UInt8>) -> Double? { single(text.span) }
    fileprivate static func isDecimal(_ text: ArraySlice<UInt8>) -> Bool { isDecimal(text.span) }
}

@Suite struct PlainNumberTests {
    private static let texts = [
        "0", "-0", "00", "7", "-7", "+7", "007", "123456789012345678", "1234567890123456789", "9223372036854775807",
        "-9223372036854775808", "9223372036854775808", "1.5", "-1.5", "1.", ".5", "-", "", ".", "1.2.3", "1-2", "1e3",
        "1,5",
        " 1", "1 ", "0.1", "0.10", "123.456000", "9007199254740993", "9007199254740992", "0.3333333333333333",
        "631152000.00000000000000000000", "-63115200.12345600000000000000", "0.00000000000000000001",
        "0.00000000000000000000000000000000000000000000000001", "nan", "inf", "0x10", "1000000000000000000000",
    ]

    private func bytes(_ text: String) -> ArraySlice<UInt8> { Array(("x" + text).utf8)[1...] }

    @Test(arguments: texts)
    func aNumberIsThatOfTheLibraryOrLeftToIt(_ text: String) {
        if let number = PlainNumber.integer(bytes(text)) { #expect(number == Int64(text)) }
        if let number = PlainNumber.real(bytes(text)) {
            #expect(number.bitPattern == Double(text)?.bitPattern)
        }
        if let number = PlainNumber.single(bytes(text)) {
            #expect(number.bitPattern == Float(text).map { Double($0).bitPattern })
        }
        if PlainNumber.isDecimal(bytes(text)) { #expect(Double(text) != nil) }
    }

    @Test func whatIsUsualIsReadHere() {
        #expect(PlainNumber.integer(bytes("-12")) == -12)
        #expect(PlainNumber.real(bytes("631152000.12500000000000000000")) == 631_152_000.125)
        #expect(PlainNumber.real(bytes("-0"))?.sign == .minus)
        #expect(PlainNumber.isDecimal(bytes("19.99")))
        #expect(PlainNumber.integer(bytes("1.0")) == nil)
        #expect(PlainNumber.single(bytes("124.875")) == 124.875)
        #expect(PlainNumber.single(bytes("0.1")) == Double(Float(0.1)))
        // So many digits say that it is not a number of single precision.
        #expect(PlainNumber.single(bytes("0.10000000000000000")) == nil)
    }

    @Test func realsAreExact() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<5_000 {
            let whole = random.next(upperBound: 1 << 34 as UInt64)
            let fraction = String(random.next(upperBound: 1_000_000_000 as UInt64))
            let text = "\(whole).\(fraction)"
            if let number = PlainNumber.real(bytes(text)) {
                #expect(number.bitPattern == Double(text)?.bitPattern, "\(text)")
            }
            let short = "\(whole % 10_000).\(fraction.prefix(6))"
            if let number = PlainNumber.single(bytes(short)) {
                #expect(number.bitPattern == Float(short).map { Double($0).bitPattern }, "\(short)")
            }
        }
    }
}
