import CommandLineParsing
import Testing

@Suite struct ArgumentValueTests {
    @Test(arguments: [
        ("0", 0), ("4096", 4096), ("512k", 524_288), ("512K", 524_288), ("1KiB", 1024), ("1kB", 1000),
        ("4MiB", 4_194_304), ("4mib", 4_194_304), ("4M", 4_194_304), ("4MB", 4_000_000), ("1G", 1 << 30),
        ("2TiB", 2 << 40), ("7B", 7),
    ])
    func aSizeHasAUnit(word: String, bytes: Int) {
        #expect(ByteCount(argument: word)?.bytes == bytes)
    }

    @Test(arguments: ["", "k", "MiB", "-1", "1.5M", "1 M", "1X", "9999999999G", "99999999999999999999", "٤k", "1kk"])
    func whatIsNoSizeIsRefused(word: String) {
        #expect(ByteCount(argument: word) == nil)
    }

    @Test(arguments: [(0, "0"), (1000, "1000"), (1024, "1KiB"), (4 << 20, "4MiB"), (3 << 29, "1536MiB")])
    func aSizeIsShownInItsLargestWholeUnit(bytes: Int, word: String) {
        #expect(ByteCount(bytes: bytes).argument == word)
        #expect(ByteCount(argument: word)?.bytes == bytes)
    }

    @Test(arguments: ["", "x", "1.0", "0x10", "1_000", "9223372036854775808", " 1"])
    func whatIsNoWholeNumberIsRefused(word: String) {
        #expect(Int(argument: word) == nil)
        #expect(Int64(argument: word) == nil)
    }

    @Test func wholeNumbersReachTheirLimits() {
        #expect(Int64(argument: "-9223372036854775808") == .min)
        #expect(Int(argument: "9223372036854775807") == .max)
    }

    @Test(arguments: ["", "nan", "inf", "0x1p3", "1,5", "1e999"])
    func whatIsNoDecimalNumberIsRefused(word: String) {
        #expect(Double(argument: word) == nil)
    }

    @Test func numbersMayHaveFractionsAndExponents() {
        #expect(Double(argument: "-1.5e3") == -1500)
    }

    @Test func anAssignmentIsCutAtItsFirstSign() {
        #expect(Assignment(argument: "a=b=c") == Assignment(name: "a", value: "b=c"))
        #expect(Assignment(argument: "a=") == Assignment(name: "a", value: ""))
        #expect(Assignment(argument: "=b") == nil)
        #expect(Assignment(argument: "a") == nil)
    }

    private enum Level: Int, ArgumentValue {
        case low = 1, high = 2
    }

    @Test func anEnumerationIsReadByItsRawValue() {
        #expect(Level(argument: "2") == .high)
        #expect(Level(argument: "3") == nil)
        #expect(Level.high.argument == "2")
    }
}
