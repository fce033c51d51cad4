import KeyedArchives
import ManagedObjectModels
import PersistentStores

/// Booleans.
struct BooleanValues: ValueSource {
    var capacity: Int { 2 }

    func value(at place: ValuePlace, _ random: inout SeededNumbers) -> AttributeValue {
        switch place.kind {
        case .least: .boolean(false)
        case .greatest: .boolean(true)
        default: .boolean(random.isOnce(in: 2))
        }
    }

    func distinct(_ number: Int) -> AttributeValue { .boolean(number % 2 == 1) }
}

/// UUIDs of version 4, whose last bytes contain the number of the object.
struct UUIDValues: ValueSource {
    let seed: UInt64

    var capacity: Int { 1 << 48 }

    func value(at place: ValuePlace, _ random: inout SeededNumbers) -> AttributeValue { distinct(place.number) }

    func distinct(_ number: Int) -> AttributeValue {
        var random = SeededNumbers(SeededNumbers.mixed(seed &+ UInt64(number)))
        var bytes = random.uuid()
        // 48 bits of the number suffice to distinguish any two.
        for index in 10..<16 { bytes[index] = UInt8(truncatingIfNeeded: number >> (8 * (15 - index))) }
        return .uuid(bytes)
    }
}

/// URLs of web pages.
struct URIValues: ValueSource {
    var capacity: Int { .max }

    func value(at place: ValuePlace, _ random: inout SeededNumbers) -> AttributeValue {
        switch place.kind {
        case .least: .uri("a:")
        case .foreign: .uri("https://example.org/caf%C3%A9/\(place.number)?q=%E6%9D%B1%E4%BA%AC#top")
        default: .uri("https://example.com/\(random.pick(Vocabulary.words))/\(place.number + 1)")
        }
    }

    func distinct(_ number: Int) -> AttributeValue { .uri("https://example.com/\(number + 1)") }
}

/// Binary data; some of a size that Core Data stores in files, if that is allowed.
struct BinaryValues: ValueSource {
    let mayBeExternal: Bool

    /// The number of objects with values in files: a store with a million of them would have gigabytes.
    private static let externalObjects = 64

    var capacity: Int { .max }

    func value(at place: ValuePlace, _ random: inout SeededNumbers) -> AttributeValue {
        let first = UInt8(truncatingIfNeeded: random.next())
        let isExternal = mayBeExternal && place.number < Self.externalObjects
        let count =
            switch place.kind {
            case .least: 0
            case .greatest: isExternal ? ExternalData.largestInline + 1 + random.below(4096) : 4096
            default: 16 + random.below(48)
            }
        return .binary((0..<count).map { first &+ UInt8(truncatingIfNeeded: $0 &* 7) })
    }

    func distinct(_ number: Int) -> AttributeValue { .binary(Array("value \(number + 1)".utf8)) }
}

/// Values of a transformable attribute: a small keyed archive that `NSSecureUnarchiveFromData` can read.
struct TransformableValues: ValueSource {
    var capacity: Int { .max }

    func value(at place: ValuePlace, _ random: inout SeededNumbers) -> AttributeValue {
        archived(random.pick(Vocabulary.words), Int64(place.kind == .least ? 0 : random.below(1000)), place.kind)
    }

    func distinct(_ number: Int) -> AttributeValue { archived("value", Int64(number), .ordinary) }

    private func archived(_ word: String, _ number: Int64, _ kind: RowKind) -> AttributeValue {
        var builder = KeyedArchiveBuilder()
        let key = builder.string(kind == .foreign ? "Größe" : "name")
        let values = [builder.string(word), builder.scalar(.integer(number))]
        let list = builder.array(values)
        let root = builder.dictionary([(key, list)])
        return .binary(builder.bytes(root: root))
    }
}

/// One of a few values that a rule lists.
struct ListedValues: ValueSource {
    let values: [AttributeValue]

    var capacity: Int { values.count }

    func value(at place: ValuePlace, _ random: inout SeededNumbers) -> AttributeValue {
        switch place.kind {
        case .least: values[0]
        case .greatest: values[values.count - 1]
        default: random.pick(values)
        }
    }

    func distinct(_ number: Int) -> AttributeValue { values[number % values.count] }
}
