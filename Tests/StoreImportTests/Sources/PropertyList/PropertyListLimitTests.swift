import Foundation
import KeyedArchives
import TestSupport
import Testing

@testable import StoreImport

/// What a binary property list may be: so large, and so many containers inside each other.
@Suite struct PropertyListLimitTests {
    private let fixture: ImportFixture

    init() throws {
        fixture = try ImportFixture(
            entities: "<entity name='A'><attribute name='name' optional='YES' attributeType='String'/></entity>")
    }

    private func events(_ value: PropertyListValue, _ options: PropertyListOptions) throws -> Int {
        let path = fixture.directory.file("list.plist")
        try Data(BinaryPropertyListWriter.bytes(for: value)).write(to: URL(fileURLWithPath: path))
        var events = try PropertyListEvents(try ByteInput(path: path), options)
        var count = 0
        while try events.next() != nil { count += 1 }
        return count
    }

    @Test(arguments: [1, 2, 3, 7, 512])
    func containersInsideEachOtherAreReadUpToTheLimit(depth: Int) throws {
        func nested(_ depth: Int) -> PropertyListValue {
            (1..<depth).reduce([1]) { value, level in level % 2 == 0 ? [value] : ["a": value] }
        }
        var options = PropertyListOptions()
        options.largestDepth = depth
        #expect(try events(nested(depth), options) >= 2 * depth)
        let error = #expect(throws: SourceError.self) { try events(nested(depth + 1), options) }
        #expect(error?.description.contains("nested too deeply") ?? false)
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func aFileIsReadUpToTheLimit(count: Int) throws {
        let value = PropertyListValue.array((0..<count).map { ["name": .string("n\($0)")] })
        let size = BinaryPropertyListWriter.bytes(for: value).count
        var options = PropertyListOptions()
        options.largestBinary = size
        #expect(try events(value, options) == 4 * count + 2)
        options.largestBinary = size - 1
        let error = #expect(throws: SourceError.self) { try events(value, options) }
        #expect(error?.description.contains("more than \(size - 1) bytes") ?? false)
    }
}
