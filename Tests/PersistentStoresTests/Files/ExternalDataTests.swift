import Foundation
import PersistentStores
import TestSupport
import Testing

/// Files of large values, which are written and compared in blocks of 256 KiB.
@Suite struct ExternalDataTests {
    private let directory: TemporaryDirectory
    private let external: ExternalData

    init() throws {
        directory = try TemporaryDirectory()
        external = ExternalData(store: try directory.write([], to: "Store.sqlite"), isDryRun: false, largestInline: 0)
    }

    private static let block = 256 << 10

    private static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 % 251) } }

    private func file(_ bytes: [UInt8]) throws -> [UInt8] { try #require(try external.stored(([1] + bytes)[...])) }

    @Test(arguments: [1, block - 1, block, block + 1, 2 * block, 2 * block + 7])
    func filesAreComparedToTheirEnds(_ count: Int) throws {
        let bytes = Self.bytes(count)
        let (one, two) = (try file(bytes), try file(bytes))
        #expect(one != two && external.areSame(one, two) && external.holds(one, ([1] + bytes)[...]))
        // One byte of each block, and of the end.
        for place in Set([0, count / 2, max(0, Self.block - 1), Self.block, count - 1]) where place < count {
            var others = bytes
            others[place] ^= 1
            let other = try file(others)
            #expect(!external.areSame(one, other) && !external.areSame(other, one), "byte \(place)")
        }
        for others in [bytes + [0], Array(bytes.dropLast())] where !others.isEmpty {
            let other = try file(others)
            #expect(!external.areSame(one, other) && !external.areSame(other, one))
        }
    }

    @Test func whatIsNoFileIsTheSameAsNothing() throws {
        let one = try file([1, 2, 3])
        let name = String(decoding: one.dropFirst().dropLast(), as: UTF8.self)
        let folder = directory.file(".Store_SUPPORT/_EXTERNAL_DATA/")
        #expect(FileManager.default.fileExists(atPath: folder + name))
        #expect(!external.areSame(one, [1, 1, 2, 3]) && !external.areSame([1, 1, 2, 3], one))
        // A link to a file is none.
        let link = UUID().uuidString
        try FileManager.default.createSymbolicLink(atPath: folder + link, withDestinationPath: name)
        let linked: [UInt8] = [2] + Array(link.utf8) + [0]
        #expect(!external.areSame(one, linked) && !external.areSame(linked, one))
        try FileManager.default.removeItem(atPath: folder + name)
        #expect(!external.areSame(one, one))
    }
}
