import SQLiteAccess
import Testing

@testable import RecordConversion
@testable import StoreImport

@Suite struct KeyHashTests {
    private static let arena = Array("0123456789abcdefghijklmnopqrstuvwxyz\0\0\0".utf8)

    private static let values: [ConvertedValue] =
        [.integer(0), .integer(1), .integer(-1), .integer(.min), .integer(.max), .real(0.5), .real(-1e300), .real(7)]
        + [.real(-0.0)]
        + [0, 1, 7, 8, 9, 16, 36, 37, 39].map { .text(ArenaRange(start: 0, count: $0)) }
        + [0, 8, 11].map { .blob(ArenaRange(start: 3, count: $0)) }

    @Test(arguments: values)
    func aValueAndItsBytesHaveOneHashAndTheIndexFindsItEitherWay(_ value: ConvertedValue) throws {
        var bytes: [UInt8] = []
        let hasBytes = KeyBytes.append(value, in: Self.arena, to: &bytes)
        var hash = KeyHash()
        let hasHash = hash.add(value, in: Self.arena.span)
        #expect(hasBytes && hasHash)
        let ofBytes = KeyHash.value(of: bytes.span)
        #expect(hash.value == ofBytes)
        var index = KeyIndex()
        for number in UInt8(0)...255 {
            let other = [KeyBytes.integerTag] + [UInt8](repeating: number, count: 8)
            index.insert(other, KeyIndex.Target(primaryKey: 1, entity: 1))
        }
        let before = index.target(of: value, in: Self.arena.span)
        index.insert(bytes, KeyIndex.Target(primaryKey: 42, entity: 2))
        let expected = before ?? KeyIndex.Target(primaryKey: 42, entity: 2)
        #expect(index.target(of: bytes) == expected)
        let found = index.target(of: value, in: Self.arena.span)
        #expect(found == expected)
    }

    @Test
    func differentValuesHaveDifferentHashesATextAndABlobOfTheSameBytesTooNULLHasNone() {
        var hashes = Set<UInt64>()
        for value in Self.values {
            var hash = KeyHash()
            let hasHash = hash.add(value, in: Self.arena.span)
            #expect(hasHash)
            hashes.insert(hash.value)
        }
        // 0 and -0 are one number.
        #expect(hashes.count == Self.values.count - 1)
        var hash = KeyHash()
        let hasHash = hash.add(.null, in: Self.arena.span)
        #expect(!hasHash)
    }

    @Test
    func aKeyOfSeveralPartsIsMoreThanOneOfItsParts() {
        var bytes: [UInt8] = []
        KeyBytes.append(Int64(5), to: &bytes)
        let one = KeyHash.value(of: bytes.span)
        KeyBytes.append(text: Array("x".utf8), to: &bytes)
        let two = KeyHash.value(of: bytes.span)
        KeyBytes.append(Int64(5), to: &bytes)
        let three = KeyHash.value(of: bytes.span)
        #expect(Set([one, two, three]).count == 3)
    }
}
