import RecordSources

/// A search for the paths of a mapping that lead to a value in at least one record of a nested source.
///
/// A path that was found is not searched again, so a source that has all paths costs nothing after its first batch.
struct PathWatch {
    /// The limits for the paths that are kept for messages about missing paths.
    struct Limits {
        var paths = 1000
        /// The largest number of steps in a path.
        var depth = 6
        /// The largest number of values that are visited.
        var values = 100_000
    }

    /// Alternative paths, at least one of which must lead to a value.
    fileprivate struct Watched {
        /// The object mapping at whose parts they begin; nil for the record.
        let object: Int?
        let entity: String
        let paths: [RecordPath]
        /// Whether there was a record or part at which they begin.
        var isTried = false
    }

    private var unseen: [Watched] = []
    /// The paths that were seen, from records and from the parts of each object mapping.
    private var known: [Int?: Set<String>] = [:]
    private var limits: Limits
    private var remainingValues: Int

    /// Returns nil if there are no paths to find, for a flat source or for one without a mapping file.
    ///
    /// - Parameter earlier: the paths that an earlier part of the run has not found; nil at the beginning of the
    ///   source.
    init?(_ source: CompiledSource, among earlier: [ImportReport.MissingPath]?, limits: Limits = Limits()) {
        self.limits = limits
        remainingValues = limits.values
        guard let fields = source.watchedPaths else { return nil }
        func watch(_ object: Int?, _ entity: String, _ paths: [RecordPath]) {
            guard !paths.isEmpty, !paths.contains(where: \.steps.isEmpty),
                !unseen.contains(where: { $0.object == object && $0.paths == paths })
            else { return }
            unseen.append(Watched(object: object, entity: entity, paths: paths))
        }
        /// Watches the sources of values, relative to the parts of an object mapping or to the record.
        func watchOrigins(_ origins: [CompiledOrigin], from start: Int?, _ entity: String) {
            for origin in origins {
                origin.visitAlternatives { alternatives in
                    let paths = alternatives.compactMap { origin in
                        switch origin {
                        case .field(let column): column < fields.count ? fields[column] : nil
                        case .path(let path): path
                        default: nil
                        }
                    }
                    let isRecords = alternatives.contains { if case .field = $0 { true } else { false } }
                    if paths.count == alternatives.count { watch(isRecords ? nil : start, entity, paths) }
                }
            }
        }
        if let filter = source.filter { watchOrigins(filter.origins, from: nil, source.objects[0].entityName) }
        for (index, object) in source.objects.enumerated() {
            let start = object.records != nil || object.parent != nil ? index : nil
            if let records = object.records { watch(object.parent, object.entityName, [records]) }
            watchOrigins(object.origins, from: start, object.entityName)
            // Paths of the filter are relative to the enclosing part or record, because the filter excludes parts.
            for origin in object.filter?.origins ?? [] {
                guard case .path(let path) = origin, !path.steps.isEmpty else { continue }
                watch(object.parent, object.entityName, [object.records?.appending(path) ?? path])
            }
        }
        if let earlier {
            let missing = Set(earlier.map { $0.path })
            unseen.removeAll { !missing.contains($0.text) }
        }
        if unseen.isEmpty { return nil }
    }

    /// Watches paths that begin at records.
    init(paths: [RecordPath], limits: Limits) {
        self.limits = limits
        remainingValues = limits.values
        unseen = paths.map { Watched(object: nil, entity: "", paths: [$0]) }
    }

    /// The number of paths that are kept.
    var knownCount: Int { known.values.reduce(0) { $0 + $1.count } }

    /// The paths that no record has had so far.
    var missing: [ImportReport.MissingPath] {
        unseen.filter(\.isTried).map { watched in
            ImportReport.MissingPath(
                entity: watched.entity, path: watched.text,
                hint: NameList((known[watched.object] ?? []).sorted()).hint(for: watched.text))
        }
    }

    /// Searches the paths in the records of a batch; returns true if this changed the missing paths.
    mutating func observe(_ work: ConvertedBatch) -> Bool {
        let before = unseen.count
        let isFirst = known.isEmpty && remainingValues == limits.values
        let tried = unseen.count(where: \.isTried)
        for index in unseen.indices.reversed() {
            let starts = Self.starts(unseen[index].object, work)
            if !starts.isEmpty { unseen[index].isTried = true }
            let isFound = starts.contains { node in
                unseen[index].paths.contains { $0.mayLead(work.batch.nodes, from: node) }
            }
            if isFound { unseen.remove(at: index) }
        }
        let mayLearn = !unseen.isEmpty && remainingValues > 0
        if mayLearn {
            for object in Set(unseen.map(\.object)) {
                for node in Self.starts(object, work) where remainingValues > 0 {
                    learn(node, "", object, depth: 0, work.batch)
                }
            }
        }
        return isFirst || mayLearn || unseen.count != before || unseen.count(where: \.isTried) != tried
    }

    /// Returns the nodes at which the paths of an object mapping begin.
    private static func starts(_ object: Int?, _ work: ConvertedBatch) -> [Int] {
        if let object { return work.instances[object].nodes.filter { $0 >= 0 }.map(Int.init) }
        return (0..<work.batch.count).map { Int(work.batch[$0].rootNode) }.filter { $0 >= 0 }
    }

    /// Records the paths that lead on from a node.
    private mutating func learn(
        _ node: Int, _ prefix: String, _ object: Int?, depth: Int, _ batch: RecordBatch
    ) {
        guard depth < limits.depth else { return }
        var child = Int(batch.nodes[node].firstChild)
        while child >= 0, remainingValues > 0 {
            remainingValues -= 1
            let found = batch.nodes[child]
            var path = prefix
            if batch.nodes[node].kind == .array {
                path += "[*]"
            } else if let step = RecordPath.step(for: batch.text(of: found.name)) {
                path += (prefix.isEmpty ? "" : ".") + step
            } else {
                child = Int(found.nextSibling)
                continue
            }
            if known[object]?.count ?? 0 < limits.paths { known[object, default: []].insert(path) }
            learn(child, path, object, depth: depth + 1, batch)
            child = Int(found.nextSibling)
        }
    }
}

extension PathWatch.Watched {
    fileprivate var text: String { paths.map(\.text).joined(separator: ", ") }
}

extension CompiledObject {
    /// The sources of all its values.
    fileprivate var origins: [CompiledOrigin] {
        var origins = attributes.map(\.origin)
        for relationship in toOnes + toManys {
            if let order = relationship.order { origins.append(order) }
            if case .key(let target) = relationship.target { origins += target.parts.map(\.origin) }
        }
        return origins
    }
}

extension CompiledFilter {
    /// The sources of the values that distinguish records, without those that the filter allows to be missing.
    fileprivate var origins: [CompiledOrigin] {
        switch self {
        case .isIn(let origin, _), .isPresent(let origin): [origin]
        case .not(.isPresent): []
        case .not(let filter): filter.origins
        case .all(let filters), .any(let filters): filters.flatMap(\.origins)
        }
    }
}

extension CompiledOrigin {
    /// Calls a closure with each source of a value; if there are alternatives, of which the first one with a value is
    /// used, with all of them.
    fileprivate func visitAlternatives(_ body: ([CompiledOrigin]) -> Void) {
        switch self {
        case .field, .path: body([self])
        case .constant: break
        case .firstOf(let origins): body(origins)
        case .template(let parts):
            for part in parts { if case .value(let origin) = part { origin.visitAlternatives(body) } }
        case .computed(let expression): expression.origins.forEach { $0.visitAlternatives(body) }
        }
    }
}
