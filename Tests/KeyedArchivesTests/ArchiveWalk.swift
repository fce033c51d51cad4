import KeyedArchives

/// Reads everything that an archive holds, once.
enum ArchiveWalk {
    static func objectCount(_ bytes: [UInt8]) throws -> Int {
        let archive = try KeyedArchive(bytes)
        var seen: Set<ArchivedObject> = []
        var waiting: [ArchivedObject] = try archive.rootNames.map { try archive.root($0) }
        func add(_ value: ArchivedValue) {
            if case .object(let object) = value {
                waiting.append(object)
            }
        }
        while let object = waiting.popLast() {
            guard seen.insert(object).inserted else { continue }
            if let pairs = try object.pairs() {
                for pair in pairs {
                    add(pair.key)
                    add(pair.value)
                }
            } else if let elements = try object.elements() {
                elements.forEach(add)
            } else {
                for key in try object.keyNames() {
                    let value = try object.value(key)
                    _ = (try value.string(), try value.data(), try value.date(), try value.uuid(), try value.url())
                    _ = try value.decimal()
                    add(value)
                }
            }
        }
        return seen.count
    }
}
