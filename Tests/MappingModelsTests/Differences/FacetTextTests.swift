import Foundation
import ManagedObjectModels
import Testing

@testable import MappingModels

@Suite struct FacetTextTests {
    @Test func textIsQuotedEscapedAndCut() {
        #expect(FacetText.quoted("a\"b\\c\nd\u{1b}") == #""a\"b\\c\nd\u{1b}""#)
        let long = FacetText.quoted(String(repeating: "x", count: 100))
        #expect(long == "\"" + String(repeating: "x", count: 60) + "...\"")
    }

    @Test(arguments: [0, -1, 86_399, 86_400, 1e9, -5e9, 5_097_600, 99_792_000, -31_622_400, 252_423_993_599.0 - 86_400])
    func datesAreCalendarDates(seconds: Double) {
        let expected = Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601)
        #expect(FacetText.value(.date(seconds)) == expected)
    }

    @Test(arguments: [Double.infinity, -Double.infinity, Double.nan, 1e300, -1e18])
    func datesBeyondTheCalendarAreNumbers(seconds: Double) {
        #expect(FacetText.value(.date(seconds)) == "\(seconds) s after 2001-01-01")
    }

    @Test func otherValuesAreTheirLiterals() {
        #expect(FacetText.value(.integer(-5)) == "-5")
        #expect(FacetText.value(.decimal("1.50")) == "1.50")
        #expect(FacetText.value(.boolean(true)) == "yes")
        #expect(FacetText.value(.binary([1, 2])) == "2 bytes")
        #expect(
            FacetText.value(.uuid(Array(0..<16))) == "00010203-0405-0607-0809-0A0B0C0D0E0F")
        #expect(FacetText.value(.unparsed("x")) == "\"x\" (does not fit the type)")
    }
}
