import KeyedArchives
import PredicateExpressions

/// Reads everything that an archive holds, in every way that it can be read.
enum ArchiveWalk {
    static func visit(_ bytes: [UInt8]) throws {
        let archive = try KeyedArchive(bytes)
        var seen: Set<ArchivedObject> = []
        var waiting = try archive.rootNames.map { try archive.root($0) }
        while let object = waiting.popLast() {
            guard seen.insert(object).inserted else { continue }
            for case .object(let other) in values(of: object) { waiting.append(other) }
            _ = try? Predicate(archived: object)
            _ = try? Expression(archived: object)
        }
    }

    private static func values(of object: ArchivedObject) -> [ArchivedValue] {
        if let pairs = try? object.pairs() { return pairs.flatMap { [$0.key, $0.value] } }
        if let elements = try? object.elements() { return elements }
        let values = ((try? object.keyNames()) ?? []).compactMap { try? object.value($0) }
        for value in values {
            _ = (try? value.string(), try? value.data(), try? value.date(), try? value.uuid(), try? value.url())
            _ = try? value.decimal()
        }
        return values
    }
}
