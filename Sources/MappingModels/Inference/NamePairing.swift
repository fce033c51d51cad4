/// Pairs named things of two model versions, be they entities, attributes or relationships.
package struct NamePairing {
    /// What counts of a thing: its name, and the identifier by which it is found under another name.
    package struct Candidate {
        package let name: String
        package let identifier: String
        /// Whether the identifier is set, and not just the name.
        package let isIdentified: Bool

        /// An empty renaming identifier does not count.
        package init(name: String, renamingIdentifier: String?) {
            let set = renamingIdentifier.flatMap { $0.isEmpty ? nil : $0 }
            (self.name, identifier, isIdentified) = (name, set ?? name, set != nil)
        }

        /// Those whose identifier an earlier one has, each with the last of these.
        package static func doubles(_ all: [Candidate]) -> [(candidate: Candidate, other: Candidate)] {
            var known: [String: Candidate] = [:]
            return all.compactMap { candidate in
                known.updateValue(candidate, forKey: candidate.identifier).map { (candidate, $0) }
            }
        }
    }

    /// By destination index: the source's index.
    let sources: [Int?]

    /// By source index: the destination's index.
    let destinations: [Int?]

    /// Pairs in four passes, the surest first, each in the order of the destination:
    /// 1. same name and same identifier, 2. same identifier, 3. the destination's identifier is the source's name,
    /// 4. same name.
    init(_ destination: [Candidate], with source: [Candidate]) {
        let byName = Dictionary(source.indices.map { (source[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
        var byIdentifier: [String: [Int]] = [:]
        for index in source.indices.reversed() {
            byIdentifier[source[index].identifier, default: []].append(index)
        }
        var sources = [Int?](repeating: nil, count: destination.count)
        var destinations = [Int?](repeating: nil, count: source.count)

        func pass(_ match: (Candidate) -> Int?) {
            for index in destination.indices where sources[index] == nil {
                guard let hit = match(destination[index]), destinations[hit] == nil else { continue }
                sources[index] = hit
                destinations[hit] = index
            }
        }
        pass { candidate in
            byName[candidate.name].flatMap { source[$0].identifier == candidate.identifier ? $0 : nil }
        }
        pass { candidate in
            // Several may carry one identifier: the first that is still free.
            while let last = byIdentifier[candidate.identifier]?.last {
                if destinations[last] == nil { return last }
                byIdentifier[candidate.identifier]?.removeLast()
            }
            return nil
        }
        pass { byName[$0.identifier] }
        pass { byName[$0.name] }
        self.sources = sources
        self.destinations = destinations
    }
}
