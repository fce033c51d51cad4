import KeyedArchives
import Testing

@Suite struct DecimalNumberTests {
    @Test(arguments: [
        ("0", "0"), ("-0", "0"), ("12.50", "12.5"), ("-12.5", "-12.5"), ("0.001", "0.001"), ("1e3", "1000"),
        (".5", "0.5"),
        ("100", "100"), ("1E-3", "0.001"),
        ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999"),
        ("3.40", "3.4"), ("1e40", "1" + String(repeating: "0", count: 40)), ("NaN", "NaN"),
        ("1e127", "1" + String(repeating: "0", count: 127)),
    ])
    func textIsReadAndPrinted(text: String, printed: String) {
        #expect(DecimalNumber(text)?.description == printed)
    }

    @Test(arguments: [
        "", "-", ".", "x", "1x", "1e", "1e999", "1e99999999", "--1", String(repeating: "9", count: 40), "1..2",
    ])
    func otherTextIsNoNumber(text: String) {
        #expect(DecimalNumber(text) == nil)
    }
}
