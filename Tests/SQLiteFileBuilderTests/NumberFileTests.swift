import TestSupport
import Testing

@testable import SQLiteFileBuilder

@Suite struct NumberFileTests {
    /// Numbers at places far from each other, more than the pages in memory hold, against a dictionary.
    @Test(arguments: [1, 2, 7, 64], [10, 2000, 200_000])
    func numbersAreThoseThatWereSetLast(pages: Int, places: Int64) throws {
        let directory = try TemporaryDirectory()
        var random = RandomNumbers(seed: UInt64(pages) + UInt64(places))
        let file = try NumberFile(beside: directory.file("store"), pages: pages)
        var expected: [Int64: Int64] = [:]
        for _ in 0..<3000 {
            let place = Int64.random(in: 0..<places, using: &random)
            if Bool.random(using: &random) {
                let number = ([0, 1, 7, .min, .max] as [Int64]).randomElement(using: &random) ?? 0
                try file.set(number, at: place)
                expected[place] = number
            } else {
                let found = try file.number(at: place)
                #expect(found == expected[place, default: 0])
            }
        }
        for (place, number) in expected { #expect(try file.number(at: place) == number) }
    }
}
