import Foundation
import KeyedArchives
import TestSupport
import Testing

@testable import RecordSources

/// Binary property lists that are just small or flat enough, and such that are not.
@Suite struct PropertyListLimitTests {
    private func events(
        of value: PropertyListValue, _ change: (inout PropertyListOptions, _ bytes: Int) -> Void
    ) throws -> Int {
        let directory = try TemporaryDirectory()
        let bytes = BinaryPropertyListWriter.bytes(for: value)
        let path = try directory.write(bytes, to: "list.plist")
        var options = PropertyListOptions()
        change(&options, bytes.count)
        var events = try PropertyListEvents(try ByteInput(path: path), options)
        var count = 0
        while try events.next() != nil { count += 1 }
        return count
    }

    @Test(arguments: [-1000, -7, -3, -2, -1, 0, 1]) func binaryListsHaveALargestSize(difference: Int) throws {
        let value: PropertyListValue = [["a": "b"], ["a": .data([UInt8](repeating: 7, count: 2000))]]
        var limit = 0
        func read() throws -> Int {
            try events(of: value) { options, bytes in
                limit = bytes + difference
                options.largestBinary = limit
            }
        }
        if difference >= 0 {
            #expect(try read() == 10)
        } else {
            let error = #expect(throws: SourceError.self) { try read() }
            #expect(error?.description.contains("more than \(limit) bytes") ?? false)
        }
    }

    /// 512 is the limit that counts where nobody says another.
    @Test(arguments: [1, 2, 3, 7, 512]) func containersHaveALargestDepth(limit: Int) throws {
        func read(depth: Int) throws -> Int {
            var value: PropertyListValue = "x"
            for level in 0..<depth { value = level % 2 == 0 ? [value] : ["k": value] }
            return try events(of: value) { options, _ in
                if limit != 512 { options.largestDepth = limit }
            }
        }
        // Each container has a beginning and an end, a dictionary also a key.
        for depth in Set([1, limit / 2, limit]) { #expect(try read(depth: depth) == 2 * depth + depth / 2 + 1) }
        let error = #expect(throws: SourceError.self) { try read(depth: limit + 1) }
        #expect(error?.description.contains("list.plist") ?? false)
    }
}
