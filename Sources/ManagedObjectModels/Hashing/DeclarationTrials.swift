/// Tries combinations of changes until one produces an entity's hash, or the effort is used up.
struct DeclarationTrials {
    let parts: EntityHashParts
    /// The effects of all changes; those of the same property are adjacent.
    private let effects: [DeclarationEffect]
    /// The most frequent changes, of which many can be tried together, and the absences of new properties.
    private let likely: [DeclarationEffect]
    private let absences: [DeclarationEffect]
    private let hash: VersionHash
    private var effort: Int

    /// The maximum number of changes of all kinds that are tried together.
    private static let count = 3

    init(_ parts: EntityHashParts, _ effects: [DeclarationEffect], giving hash: VersionHash, effort: Int) {
        self.parts = parts
        self.effects = effects
        likely = effects.filter { $0.change.kind != .other }
        absences = effects.filter { $0.change.kind == .absence }
        self.hash = hash
        self.effort = effort
    }

    /// Returns the smallest combination; nil if no combination that was tried produces the hash.
    ///
    /// Each round may use half of the remaining effort, so that effort remains for combinations of more changes.
    mutating func combination() -> [DeclarationEffect]? {
        for count in 1...max(Self.count, Set(likely.map(\.change.property)).count) {
            for effects in count > Self.count ? [absences, likely] : [likely, effects] {
                var left = count == 1 ? effort : effort / 2
                let before = left
                let found = found(count, of: effects, from: 0, with: [], &left)
                effort -= before - left
                if let found { return found }
            }
            guard effort > 0 else { return nil }
        }
        return nil
    }

    /// Returns a combination of changes of different properties, beginning with the chosen ones.
    private func found(
        _ count: Int, of effects: [DeclarationEffect], from start: Int, with chosen: [DeclarationEffect],
        _ left: inout Int
    ) -> [DeclarationEffect]? {
        guard count > 0 else {
            left -= parts.properties.count + 1
            return left >= 0 && isMeant(chosen) ? chosen : nil
        }
        for index in start..<effects.count where effects[index].change.property != chosen.last?.change.property {
            let found = found(count - 1, of: effects, from: index + 1, with: chosen + [effects[index]], &left)
            if found != nil || left < 0 { return found }
        }
        return nil
    }

    private func isMeant(_ chosen: [DeclarationEffect]) -> Bool {
        let removed = chosen.flatMap(\.removedConstraints)
        let added = chosen.flatMap(\.addedConstraints)
        let constraints =
            removed.isEmpty && added.isEmpty ? nil : parts.constraints.filter { !removed.contains($0) } + added
        return parts.hash(with: chosen.compactMap(\.property), constraints: constraints) == hash
    }
}
