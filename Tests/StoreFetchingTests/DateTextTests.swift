import Testing

@testable import StoreFetching

/// Dates as they are exported, in seconds since 2001.
@Suite struct DateTextTests {
    private static func text(_ seconds: Double) -> String? {
        var bytes: [UInt8] = []
        return bytes.append(date: seconds) ? String(decoding: bytes, as: UTF8.self) : nil
    }

    @Test(arguments: [
        (-63_145_526_400, "0000-01-01T00:00:00Z"), (-63_140_428_800, "0000-02-29T00:00:00Z"),
        (-63_140_342_400, "0000-03-01T00:00:00Z"), (-63_113_904_000, "0001-01-01T00:00:00Z"),
        (0, "2001-01-01T00:00:00Z"), (-0.25, "2000-12-31T23:59:59.75Z"), (252_423_993_599, "9999-12-31T23:59:59Z"),
    ])
    func `the first and the last years of four digits have a text`(seconds: Double, expected: String) {
        #expect(Self.text(seconds) == expected)
    }

    @Test func `the distant past of Foundation has a text`() {
        #expect(Self.text(-63_114_076_800) == "0000-12-30T00:00:00Z")
    }

    @Test(arguments: [-63_145_526_401, 252_423_993_600, Double.infinity, -.infinity, .nan])
    func `dates beyond have none`(seconds: Double) {
        #expect(Self.text(seconds) == nil)
    }
}
