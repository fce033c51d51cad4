/// Writes binary property lists: each scalar value once, containers each time, with minimal sizes of offsets and
/// references.
///
/// Equal values give equal bytes. Objects are numbered as by Apple's writer: each container before its content, and in
/// a dictionary all keys before all values.
public enum BinaryPropertyListWriter {
    /// Returns the bytes of a value.
    public static func bytes(for value: PropertyListValue) -> [UInt8] {
        var writing = BinaryPropertyListWriting()
        _ = writing.flatten(value)
        return writing.bytes()
    }
}

private struct BinaryPropertyListWriting {
    enum Node {
        case scalar(PropertyListValue)
        case list(marker: UInt8, [Int])
        case dictionary(keys: [Int], values: [Int])
    }

    private var nodes: [Node] = []
    private var scalars: [PropertyListValue: Int] = [:]

    mutating func flatten(_ value: PropertyListValue) -> Int {
        switch value {
        case .array(let elements): return flatten(elements, marker: 0xA0)
        case .set(let elements): return flatten(elements, marker: 0xC0)
        case .dictionary(let dictionary):
            let number = nodes.count
            nodes.append(.dictionary(keys: [], values: []))
            let keys = dictionary.keys.map { flatten(.string($0)) }
            let values = dictionary.map { flatten($0.value) }
            nodes[number] = .dictionary(keys: keys, values: values)
            return number
        default:
            if let known = scalars[value] {
                return known
            }
            scalars[value] = nodes.count
            nodes.append(.scalar(value))
            return nodes.count - 1
        }
    }

    private mutating func flatten(_ elements: [PropertyListValue], marker: UInt8) -> Int {
        let number = nodes.count
        nodes.append(.list(marker: marker, []))
        let references = elements.map { flatten($0) }
        nodes[number] = .list(marker: marker, references)
        return number
    }

    func bytes() -> [UInt8] {
        let referenceSize = Self.width(of: UInt64(nodes.count - 1))
        var output = Array("bplist00".utf8)
        var offsets: [Int] = []
        offsets.reserveCapacity(nodes.count)
        for node in nodes {
            offsets.append(output.count)
            switch node {
            case .scalar(let value):
                Self.append(value, to: &output)
            case .list(let marker, let elements):
                Self.append(marker: marker, count: elements.count, to: &output)
                Self.append(elements, width: referenceSize, to: &output)
            case .dictionary(let keys, let values):
                Self.append(marker: 0xD0, count: keys.count, to: &output)
                Self.append(keys, width: referenceSize, to: &output)
                Self.append(values, width: referenceSize, to: &output)
            }
        }
        let tableOffset = output.count
        let offsetSize = Self.width(of: UInt64(tableOffset))
        Self.append(offsets, width: offsetSize, to: &output)
        output += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        Self.append([nodes.count, 0, tableOffset], width: 8, to: &output)
        return output
    }

    private static func append(_ value: PropertyListValue, to output: inout [UInt8]) {
        switch value {
        case .null: output.append(0x00)
        case .boolean(let value): output.append(value ? 0x09 : 0x08)
        case .integer(let value): append(value, to: &output)
        case .wideInteger(let value):
            output.append(0x14)
            append(UInt64(truncatingIfNeeded: value >> 64), width: 8, to: &output)
            append(UInt64(truncatingIfNeeded: value), width: 8, to: &output)
        case .real(let value):
            output.append(0x23)
            append(value.bitPattern, width: 8, to: &output)
        case .single(let value):
            output.append(0x22)
            append(UInt64(value.bitPattern), width: 4, to: &output)
        case .date(let value):
            output.append(0x33)
            append(value.bitPattern, width: 8, to: &output)
        case .data(let value):
            append(marker: 0x40, count: value.count, to: &output)
            output += value
        case .string(let value) where value.utf8.allSatisfy { $0 < 0x80 }:
            append(marker: 0x50, count: value.utf8.count, to: &output)
            output += value.utf8
        case .string(let value):
            append(Array(value.utf16), to: &output)
        case .malformedText(let units):
            append(units, to: &output)
        case .uid(let value):
            let width = width(of: value)
            output.append(0x80 | UInt8(width - 1))
            append(value, width: width, to: &output)
        case .array, .set, .dictionary:
            break
        }
    }

    private static func append(_ units: [UInt16], to output: inout [UInt8]) {
        append(marker: 0x60, count: units.count, to: &output)
        for unit in units {
            output.append(UInt8(unit >> 8))
            output.append(UInt8(unit & 0xFF))
        }
    }

    /// Appends an integer: below 2^32 unsigned, otherwise signed in 8 bytes.
    private static func append(_ value: Int64, to output: inout [UInt8]) {
        let width = value < 0 ? 8 : width(of: UInt64(value))
        output.append(0x10 | UInt8(width.trailingZeroBitCount))
        append(UInt64(bitPattern: value), width: width, to: &output)
    }

    private static func append(marker: UInt8, count: Int, to output: inout [UInt8]) {
        if count < 15 {
            output.append(marker | UInt8(count))
        } else {
            output.append(marker | 0x0F)
            append(Int64(count), to: &output)
        }
    }

    private static func append(_ numbers: [Int], width: Int, to output: inout [UInt8]) {
        for number in numbers {
            append(UInt64(number), width: width, to: &output)
        }
    }

    private static func append(_ number: UInt64, width: Int, to output: inout [UInt8]) {
        for shift in stride(from: (width - 1) * 8, through: 0, by: -8) {
            output.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
        }
    }

    /// Returns the number of bytes that a number needs: 1, 2, 4 or 8.
    private static func width(of number: UInt64) -> Int {
        switch number {
        case ...0xFF: 1
        case ...0xFFFF: 2
        case ...0xFFFF_FFFF: 4
        default: 8
        }
    }
}
