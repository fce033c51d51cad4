import KeyedArchives
import TestSupport

/// Damages an archive where its bytes stay well-formed: references that form cycles or lead astray, values of another
/// type, numbers out of any range, keys that are missing, twice or swapped.
struct ArchiveMutation {
    private let whole: PropertyListDictionary
    private let objects: [PropertyListValue]

    private static let scalars: [PropertyListValue] = [
        .null, .boolean(true), .integer(0), .integer(-1), .integer(.max), .integer(.min), .wideInteger(1 << 100),
        .real(.nan), .real(.infinity), .real(-1e300), .single(0), .date(.nan), .date(1e308), .data([]),
        .data([0, 0xFF]), .string(""), .string("$null"), .string("a\u{0}b"), .string("SELF == "), .array([]),
        .malformedText([0xD800]), .dictionary(PropertyListDictionary()), .uid(0), .uid(.max),
    ]

    init(_ bytes: [UInt8]) throws {
        whole = try PropertyListReader.value(from: bytes).dictionary ?? PropertyListDictionary()
        objects = whole["$objects"]?.array ?? []
    }

    func mutated(with random: inout RandomNumbers) -> [UInt8] {
        var objects = objects
        for _ in 0...Int.random(in: 0..<3, using: &random) where !objects.isEmpty {
            let place = Int.random(in: 0..<objects.count, using: &random)
            if Int.random(in: 0..<6, using: &random) == 0 {
                objects[place] = objects.randomElement(using: &random) ?? .null
            } else {
                objects[place] = damaged(objects[place], with: &random)
            }
        }
        var result = whole
        result["$objects"] = .array(objects)
        return BinaryPropertyListWriter.bytes(for: .dictionary(result))
    }

    private func damaged(_ value: PropertyListValue, with random: inout RandomNumbers) -> PropertyListValue {
        switch value {
        case .dictionary(let dictionary):
            var dictionary = dictionary
            guard let key = dictionary.keys.randomElement(using: &random) else { return .null }
            switch Int.random(in: 0..<8, using: &random) {
            case 0: dictionary[key] = nil
            case 1:
                let other = dictionary.keys.randomElement(using: &random) ?? key
                (dictionary[key], dictionary[other]) = (dictionary[other], dictionary[key])
            case 2: dictionary[key] = Self.scalars.randomElement(using: &random)
            default: dictionary[key] = damaged(dictionary[key] ?? .null, with: &random)
            }
            return .dictionary(dictionary)
        case .array(var elements):
            guard !elements.isEmpty else { return .array([reference(&random)]) }
            let place = Int.random(in: 0..<elements.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: elements.remove(at: place)
            case 1: elements.insert(elements.randomElement(using: &random) ?? .null, at: place)
            default: elements[place] = damaged(elements[place], with: &random)
            }
            return .array(elements)
        case .uid: return reference(&random)
        default: return Self.scalars.randomElement(using: &random) ?? .null
        }
    }

    private func reference(_ random: inout RandomNumbers) -> PropertyListValue {
        .uid(UInt64.random(in: 0...UInt64(objects.count), using: &random))
    }
}
