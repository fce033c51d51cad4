import Foundation
import Testing

@testable import RecordConversion

/// The system's zones; Foundation has data of its own, which may be of another year.
@Suite struct ZoneFileTests {
    /// Seconds since 1970, of years in which both know the same; four times a year.
    private static let times = Array(stride(from: 0, through: 1_640_000_000, by: 7_889_400))

    @Test(arguments: [
        "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "America/St_Johns", "EST5EDT",
        "Etc/GMT+5", "Europe/Dublin", "Pacific/Apia",
    ])
    func offsetsAreThoseOfFoundation(name: String) throws {
        let offset = try #require(ZoneOffset(name))
        let zone = try #require(TimeZone(identifier: name))
        for time in Self.times {
            #expect(
                offset.offset(at: time) == zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time))),
                "\(time)")
        }
    }

    /// Beyond the changes that files list.
    @Test(arguments: [
        ("Europe/Berlin", 3600, 7200), ("America/New_York", -18_000, -14_400), ("Asia/Kolkata", 19_800, 19_800),
    ])
    func theClockGoesOnUntil2100(name: String, winter: Int, summer: Int) throws {
        let offset = try #require(ZoneOffset(name))
        // 2099-01-15 and 2099-07-15.
        #expect(offset.offset(at: 4_072_118_400) == winter)
        #expect(offset.offset(at: 4_087_756_800) == summer)
    }

    @Test(arguments: [("GMT+3", 10_800), ("UTC-03:30", -12_600), ("+0200", 7200), ("utc", 0)])
    func offsetsByNumber(name: String, seconds: Int) throws {
        #expect(try #require(ZoneOffset(name)).offset(at: 0) == seconds)
    }

    @Test(arguments: [
        "", "/", "/etc/passwd", "../zoneinfo/Europe/Berlin", "Europe/../Europe/Berlin", "Europe", "Europe//Berlin",
        "Mars",
        "zone.tab", ".", "Europe/Berlin\n",
    ])
    func otherNamesAreNoZones(name: String) {
        #expect(ZoneOffset(name) == nil)
    }

    /// A file of one zone, by its times of 64 bits, and its rule.
    private func file(times: [Int64], kinds: [UInt8], offsets: [Int32], rule: String) -> [UInt8] {
        func big(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
        let letters: [UInt8] = [0x41, 0x42, 0x43, 0]
        func header(_ times: Int, _ types: Int) -> [UInt8] {
            var bytes = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
            for count in [0, 0, 0, times, types, 4] { bytes += big(UInt32(count)) }
            return bytes
        }
        func type(_ offset: Int32) -> [UInt8] { big(offset) + [0, 0] }
        var bytes: [UInt8] = header(0, 1)
        bytes += type(0)
        bytes += letters
        bytes += header(times.count, offsets.count)
        for time in times { bytes += big(time) }
        bytes += kinds
        for offset in offsets { bytes += type(offset) }
        bytes += letters
        bytes += Array("\n\(rule)\n".utf8)
        return bytes
    }

    @Test func rulesOfEachForm() throws {
        let whole = file(times: [0, 100], kinds: [1, 0], offsets: [0, 3600], rule: "AAA0")
        let zone = try #require(ZoneFile(whole))
        #expect(zone.starts == [0, 100])
        #expect(zone.offsets == [0, 3600, 0])
        // The 60th day without leap days is 1 March, in every year; with them, 61 days after 1 January in a leap year.
        let bytes = file(times: [], kinds: [], offsets: [-3600], rule: "<-01>1<+00>,J60/0,300/-1")
        let days = try #require(ZoneFile(bytes))
        // 1970-03-01T01:00Z, and an hour before 1970-10-28T00:00Z.
        let starts: [Int] = [5_101_200, 25_916_400]
        #expect(Array(days.starts.prefix(2)) == starts)
        let offsets: [Int] = [-3600, 0, -3600]
        #expect(Array(days.offsets.prefix(3)) == offsets)
        // 1972-03-01T00:00 on a clock one hour behind.
        let leap = 68_259_600
        #expect(days.starts[4] == leap)
    }

    @Test func damagedFilesAreNoZones() {
        let whole = file(times: [0, 100], kinds: [1, 0], offsets: [0, 3600], rule: "AAA0")
        for length in 0..<(whole.count - 6) { #expect(ZoneFile(Array(whole.prefix(length))) == nil, "\(length)") }
        #expect(ZoneFile(file(times: [100, 0], kinds: [0, 0], offsets: [0], rule: "AAA0")) == nil)
        #expect(ZoneFile(file(times: [0], kinds: [7], offsets: [0], rule: "AAA0")) == nil)
        #expect(ZoneFile(file(times: [], kinds: [], offsets: [.max], rule: "AAA0")) == nil)
        for place in whole.indices {
            var bytes = whole
            bytes[place] = 0xFF
            _ = ZoneFile(bytes)
        }
    }

    @Test(arguments: [
        "", "A0", "AAA", "AAA0BBB,M1", "AAA0BBB,M13.1.0,M1.1.0", "AAA0BBB,J0,J5", "AAA999", "<AAA0", "AAA0BBB,M1.1.0",
    ])
    func malformedRules(text: String) {
        #expect(ZoneRule(text) == nil)
    }
}
