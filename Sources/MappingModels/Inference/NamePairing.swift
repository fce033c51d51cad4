/// Pairs named parts of two model versions: entities, attributes or relationships.
package struct NamePairing {
    /// A part to be paired: its name, and the identifier by which a renamed part is found.
    package struct Candidate {
        package let name: String
        package let identifier: String
        /// Whether the identifier is set explicitly, and is not just the name.
        package let isIdentified: Bool

        /// An empty renaming identifier is ignored.
        package init(name: String, renamingIdentifier: String?) {
            let set = renamingIdentifier.flatMap { $0.isEmpty ? nil : $0 }
            (self.name, identifier, isIdentified) = (name, set ?? name, set != nil)
        }

        /// Returns the candidates whose identifier an earlier one has, each with the last of these.
        package static func doubles(_ all: [Candidate]) -> [(candidate: Candidate, other: Candidate)] {
            var known: [String: Candidate] = [:]
            return all.compactMap { candidate in
                known.updateValue(candidate, forKey: candidate.identifier).map { (candidate, $0) }
            }
        }
    }

    /// The source's index, by destination index.
    let sources: [Int?]

    /// The destination's index, by source index.
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
            // Several candidates may have the same identifier: the first free one is taken.
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
