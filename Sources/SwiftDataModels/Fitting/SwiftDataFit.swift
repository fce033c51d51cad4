public import ManagedObjectModels

/// How a version of Swift sources fits the hashes of a store.
public struct SwiftDataFit: Sendable {
    /// An entity of the version or the store.
    public struct Entity: Sendable {
        /// How the entity's hash compares with the store's.
        public enum Result: Sendable {
            /// The hash is the store's.
            case equal
            /// It is the store's if these properties are stored so; the answers that no rule tells.
            case answered([(property: String, reason: String, answer: String)])
            /// No answer gives the store's hash.
            case different
            /// The store has an entity of this name, and the version does not.
            case onlyInStore
            /// The version has an entity of this name, and the store does not.
            case onlyInSources
        }

        /// The entity's name.
        public let name: String
        /// How the hash compares.
        public let result: Result
    }

    /// The name of the version.
    public let version: String

    /// The entities of the version and the store, by name.
    public let entities: [Entity]

    /// The model with the answers that give the store's hashes.
    public let model: ManagedObjectModel

    /// What the store tells: the answers that give its hashes, those by analogy included.
    public let rules: SwiftDataRules

    /// The paths of the files that are left out, where several declare one type.
    public internal(set) var excluded: [String] = []

    /// What keeps the version from being a model.
    public internal(set) var problems: [ModelWarning] = []

    /// Entities that have the store's hash, by rules or by answers.
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

    /// Combinations of answers that are tried for one entity.
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

    /// The first combination of answers that gives the hash.
    private static func answers(
        to questions: [SwiftDataQuestion], of name: String, in model: ManagedObjectModel, _ expected: VersionHash
    ) -> [(SwiftDataQuestion, SwiftDataQuestion.Answer)]? {
        guard !questions.isEmpty else { return nil }
        var choice = [Int](repeating: 0, count: questions.count)
        for _ in 0..<maximumCombinations {
            let chosen = zip(questions, choice).map { ($0, $0.answers[$1]) }
            let changed = chosen.reduce(model) { $0.answering($1.0, with: $1.1) }
            if ModelHashes.hash(of: name, in: changed) == expected { return chosen }
            // The next combination, the first question turning fastest.
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
    /// How each version fits hashes, the one that fits best first.
    ///
    /// Where several files declare a type, as the targets of a project do, each in turn is taken as the one that
    /// counts.
    ///
    /// - Parameters:
    ///   - hashes: the store's version hashes, by the names of entities.
    ///   - ignoresRules: whether what other stores told is asked again.
    public func fits(_ hashes: [String: VersionHash], ignoringRules ignoresRules: Bool = false) -> [SwiftDataFit] {
        let own = fitsOfAllFiles(hashes, ignoringRules: ignoresRules)
        guard own.first?.fits != true else { return own }
        for excluded in exclusions {
            guard var fits = fits(hashes, ignoringRules: ignoresRules, without: excluded) else { continue }
            // Types that no model has do not matter.
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

    /// The fits without some files; nil if none has all hashes.
    private func fits(
        _ hashes: [String: VersionHash], ignoringRules ignoresRules: Bool, without excluded: [String]
    ) -> [SwiftDataFit]? {
        var selection = selection
        selection.excluded += excluded
        let fewer = try? SwiftDataSources(paths: paths, selection: selection)
        let fits = fewer?.fitsOfAllFiles(hashes, ignoringRules: ignoresRules)
        return fits?.first?.fits == true ? fits : nil
    }

    /// At most so many choices of files are tried.
    private static let maximumExclusions = 64

    /// The files to leave out so that no type is declared by several: each choice, as far as they are not too many.
    private var exclusions: [[String]] {
        var choices: [[Int]] = [[]]
        for rivals in declarations.rivalFiles {
            let next = choices.flatMap { out -> [[Int]] in
                let open = rivals.filter { !out.contains($0) }
                return open.count < 2 ? [out] : open.map { kept in out + open.filter { $0 != kept } }
            }
            // Models come first: what the types after them are may not matter.
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
