/// Converts binary property lists to values.
public enum BinaryPropertyListReader {
    /// Reads the outermost value; the input may be hostile.
    /// - Throws: `PropertyListError` with the offset of the byte at which the property list is damaged or exceeds a
    ///   limit.
    public static func value(
        from bytes: [UInt8], limits: PropertyListLimits? = nil
    ) throws(PropertyListError) -> PropertyListValue {
        var reading = BinaryPropertyListReading(
            scanner: try BinaryPropertyListScanner(bytes), limits: limits ?? .proportional(to: bytes.count))
        return try reading.value(reading.scanner.topObject, depth: 0).value
    }
}

/// Reads one binary property list.
///
/// Every object becomes a value once and is then shared, but its size is counted at every use: a file that refers to
/// one container a million times is refused even if its values would fit into memory, because traversing them would
/// never finish.
private struct BinaryPropertyListReading {
    struct Sized {
        let value: PropertyListValue
        /// The number of values in it, including itself.
        let count: Int
        let payload: Int
    }

    let scanner: BinaryPropertyListScanner
    let limits: PropertyListLimits
    private var finished: [Int: Sized] = [:]
    private var open: Set<Int> = []
    /// The number of elements in all containers that became values: overlapping containers in the file each take
    /// memory.
    private var elements = 0

    init(scanner: BinaryPropertyListScanner, limits: PropertyListLimits) {
        self.scanner = scanner
        self.limits = limits
    }

    mutating func value(_ number: Int, depth: Int) throws(PropertyListError) -> Sized {
        if let known = finished[number] {
            return known
        }
        let object = try scanner.object(number)
        let sized: Sized
        if let scalar = try scanner.scalar(object) {
            sized = Sized(value: scalar, count: 1, payload: scanner.payloadSize(object))
        } else {
            guard depth < limits.depth else { throw PropertyListError(.tooDeep) }
            guard open.insert(number).inserted else { throw PropertyListError(.cyclic) }
            sized = try container(object, depth: depth)
            open.remove(number)
        }
        guard sized.payload <= limits.payloadBytes else { throw PropertyListError(.tooLarge) }
        finished[number] = sized
        return sized
    }

    private mutating func container(_ object: BinaryObject, depth: Int) throws(PropertyListError) -> Sized {
        switch object {
        case .array(let references):
            let (values, count, payload) = try list(references, depth: depth)
            return Sized(value: .array(values), count: count + 1, payload: payload)
        case .set(let references):
            let (values, count, payload) = try list(references, depth: depth)
            return Sized(value: .set(values), count: count + 1, payload: payload)
        case .dictionary(let keys, let values):
            return try dictionary(keys, values, depth: depth)
        default:
            return Sized(value: .null, count: 1, payload: 0)
        }
    }

    private mutating func list(
        _ references: ObjectReferences, depth: Int
    ) throws(PropertyListError) -> (values: [PropertyListValue], count: Int, payload: Int) {
        try reserve(references.count)
        var values: [PropertyListValue] = []
        values.reserveCapacity(references.count)
        var (count, payload) = (0, 0)
        for position in 0..<references.count {
            let element = try value(scanner.reference(position, of: references), depth: depth + 1)
            values.append(element.value)
            try add(element, &count, &payload)
        }
        return (values, count, payload)
    }

    private mutating func dictionary(
        _ keys: ObjectReferences, _ values: ObjectReferences, depth: Int
    ) throws(PropertyListError) -> Sized {
        try reserve(keys.count * 2)
        var dictionary = PropertyListDictionary()
        dictionary.reserveCapacity(keys.count)
        var (count, payload) = (0, 0)
        for position in 0..<keys.count {
            let key = try value(scanner.reference(position, of: keys), depth: depth + 1)
            guard let name = key.value.string else { throw PropertyListError(.keyNotText, found: key.value.kind) }
            let element = try value(scanner.reference(position, of: values), depth: depth + 1)
            try add(key, &count, &payload)
            try add(element, &count, &payload)
            guard dictionary.insert(element.value, forKey: name) else {
                throw PropertyListError(.keyRepeated, found: name)
            }
        }
        return Sized(value: .dictionary(dictionary), count: count + 1, payload: payload)
    }

    private mutating func reserve(_ count: Int) throws(PropertyListError) {
        elements += count
        guard elements <= limits.values else { throw PropertyListError(.tooLarge) }
    }

    private func add(_ element: Sized, _ count: inout Int, _ payload: inout Int) throws(PropertyListError) {
        count += element.count
        payload += element.payload
        guard count < limits.values, payload <= limits.payloadBytes else { throw PropertyListError(.tooLarge) }
    }
}
