public import ManagedObjectModels

/// How well a version of Swift sources matches the hashes of a store.
public struct SwiftDataFit: Sendable {
    /// An entity of the version or the store.
    public struct Entity: Sendable {
        /// The comparison of the entity's hash with the store's.
        public enum Result: Sendable {
            /// The hashes are equal.
            case equal
            /// The hashes are equal with these answers for properties without a confirmed rule.
            case answered([(property: String, reason: String, answer: String)])
            /// No combination of answers gives the store's hash.
            case different
            /// The store has an entity with this name, but the version does not.
            case onlyInStore
            /// The version has an entity with this name, but the store does not.
            case onlyInSources
        }

        /// The entity's name.
        public let name: String
        /// The result of the comparison.
        public let result: Result
    }

    /// The name of the version.
    public let version: String

    /// The entities of the version and the store, by name.
    public let entities: [Entity]

    /// The model with the answers that give the store's hashes.
    public let model: ManagedObjectModel

    /// The rules learned from the store: the answers that give its hashes, including those by analogy.
    public let rules: SwiftDataRules

    /// The paths of excluded files, if several files declare the same type.
    public internal(set) var excluded: [String] = []

    /// The errors that make the version invalid.
    public internal(set) var problems: [ModelWarning] = []

    /// The number of entities with the store's hash, by rules or by answers.
    public var fittingCount: Int {
        entities.count {
            switch $0.result {
            case .equal, .answered: true
            case .different, .onlyInStore, .onlyInSources: false
            }
        }
    }

    /// Whether all entities have the store's hashes, by rules or by answers.
    public var fits: Bool { fittingCount == entities.count }

    /// The maximum number of combinations of answers that are tried for one entity.
    static let maximumCombinations = 20_000

    init(version: String, derived: DerivedModel, hashes: [String: VersionHash]) {
        var model = derived.model
        var entities: [Entity] = []
        var rules: [SwiftDataRules.Rule] = []
        let names = Set(model.entities.map(\.name))
        for name in names.union(hashes.keys).sorted() {
            guard let expected = hashes[name] else {
                entities.append(Entity(name: name, result: .onlyInSources))
                continue
            }
            guard names.contains(name) else {
                entities.append(Entity(name: name, result: .onlyInStore))
                continue
            }
            let questions = derived.questions.filter { $0.entity == name && !$0.answers.isEmpty }
            let hasProblem = derived.problems.contains { $0.entity == name }
            if !hasProblem, ModelHashes.hash(of: name, in: model) == expected {
                entities.append(Entity(name: name, result: .equal))
                let answers = Self.answers(to: questions, of: name, in: model, expected) ?? []
                rules += answers.map(Self.rule)
            } else if let answers = Self.answers(to: questions, of: name, in: model, expected) {
                rules += answers.map(Self.rule)
                for (question, answer) in answers { model = model.answering(question, with: answer) }
                entities.append(
                    Entity(name: name, result: .answered(answers.map { ($0.property, $0.reason, $1.label) })))
            } else {
                entities.append(Entity(name: name, result: .different))
            }
        }
        self.version = version
        self.entities = entities
        self.rules = SwiftDataRules(rules)
        self.model = model
    }

    private static func rule(_ question: SwiftDataQuestion, _ answer: SwiftDataQuestion.Answer) -> SwiftDataRules.Rule {
        .init(entity: question.entity, property: question.property, reason: question.reason, answer: answer.label)
    }

    /// Returns the first combination of answers that gives the hash; nil if there is none.
    private static func answers(
        to questions: [SwiftDataQuestion], of name: String, in model: ManagedObjectModel, _ expected: VersionHash
    ) -> [(SwiftDataQuestion, SwiftDataQuestion.Answer)]? {
        guard !questions.isEmpty else { return nil }
        var choice = [Int](repeating: 0, count: questions.count)
        for _ in 0..<maximumCombinations {
            let chosen = zip(questions, choice).map { ($0, $0.answers[$1]) }
            let changed = chosen.reduce(model) { $0.answering($1.0, with: $1.1) }
            if ModelHashes.hash(of: name, in: changed) == expected { return chosen }
            // The next combination; the first question changes fastest.
            var place = 0
            while place < choice.count {
                choice[place] += 1
                if choice[place] < questions[place].answers.count { break }
                choice[place] = 0
                place += 1
            }
            if place == choice.count { return nil }
        }
        return nil
    }
}

extension SwiftDataSources {
    /// Returns how well each version matches hashes, the best match first.
    ///
    /// If several files declare the same type, as in targets of a project, each of them is tried in turn.
    ///
    /// - Parameters:
    ///   - hashes: the store's version hashes, by the names of entities.
    ///   - ignoresRules: whether rules learned from other stores are ignored.
    public func fits(_ hashes: [String: VersionHash], ignoringRules ignoresRules: Bool = false) -> [SwiftDataFit] {
        let own = fitsOfAllFiles(hashes, ignoringRules: ignoresRules)
        guard own.first?.fits != true else { return own }
        for excluded in exclusions {
            guard var fits = fits(hashes, ignoringRules: ignoresRules, without: excluded) else { continue }
            // Types that no model uses are irrelevant.
            var needed = excluded
            for path in excluded {
                let fewer = needed.filter { $0 != path }
                guard let others = self.fits(hashes, ignoringRules: ignoresRules, without: fewer) else { continue }
                (needed, fits) = (fewer, others)
            }
            for place in fits.indices { fits[place].excluded = needed }
            return fits
        }
        return own
    }

    /// Returns the matches without some files; nil if none has all hashes.
    private func fits(
        _ hashes: [String: VersionHash], ignoringRules ignoresRules: Bool, without excluded: [String]
    ) -> [SwiftDataFit]? {
        var selection = selection
        selection.excluded += excluded
        let fewer = try? SwiftDataSources(paths: paths, selection: selection)
        let fits = fewer?.fitsOfAllFiles(hashes, ignoringRules: ignoresRules)
        return fits?.first?.fits == true ? fits : nil
    }

    /// The maximum number of choices of files that are tried.
    private static let maximumExclusions = 64

    /// The choices of files to exclude so that no type is declared several times, up to the maximum.
    private var exclusions: [[String]] {
        var choices: [[Int]] = [[]]
        for rivals in declarations.rivalFiles {
            let next = choices.flatMap { out -> [[Int]] in
                let open = rivals.filter { !out.contains($0) }
                return open.count < 2 ? [out] : open.map { kept in out + open.filter { $0 != kept } }
            }
            // Models come first: types after them may be irrelevant.
            guard next.count <= Self.maximumExclusions else { break }
            choices = next
        }
        return choices.filter { !$0.isEmpty }.map { $0.sorted().map { declarations.files[$0].path } }
    }

    private func fitsOfAllFiles(
        _ hashes: [String: VersionHash], ignoringRules ignoresRules: Bool
    ) -> [SwiftDataFit] {
        schemas.map { schema in
            let derived = derivedModel(of: schema, rules: ignoresRules ? SwiftDataRules() : nil)
            var fit = SwiftDataFit(version: schema.name, derived: derived, hashes: hashes)
            fit.problems = problems(of: derived)
            return fit
        }
        .enumerated().sorted { left, right in
            let (first, second) = (left.element, right.element)
            let missing = (first.entities.count - first.fittingCount, second.entities.count - second.fittingCount)
            return missing.0 == missing.1 ? left.offset > right.offset : missing.0 < missing.1
        }.map(\.element)
    }
}
