import DocumentReading
public import ManagedObjectModels

/// The SwiftData models that Swift sources declare.
public struct SwiftDataSources: Sendable {
    /// The path of the sources.
    public let path: String

    let declarations: SwiftDeclarations
    let schemas: [SwiftDataSchema]
    let plans: [SwiftDataMigrationPlan]
    private let selection: SwiftDataSelection
    /// What stores told of properties without an established rule.
    private let rules: SwiftDataRules
    private let fileWarnings: [ModelWarning]

    /// One file has at most this many bytes, and all together this many.
    static let maximumFileSize = 64 << 20
    static let maximumSize = 1 << 30

    /// Reads Swift files, and all below folders but those of tests, together; nil if no class of them is a model.
    ///
    /// Throws `ModelError` where a file cannot be read, or where nothing tells which classes make a version.
    public init?(paths: [String], selection: SwiftDataSelection = SwiftDataSelection()) throws(ModelError) {
        var finder = SwiftFileFinder()
        for path in paths { try finder.search(path) }
        let path = Self.commonFolder(of: paths)
        var parts: [(file: SwiftDeclarations.File, declarations: SwiftFileDeclarations)] = []
        var size = 0
        var hasModels = false
        for file in finder.files {
            let bytes: [UInt8]
            do throws(DocumentError) {
                bytes = try SourceText(path: file.path, maximumSize: Self.maximumFileSize).bytes
            } catch {
                throw ModelError(.unreadable(error.sentence), path: file.path)
            }
            size += bytes.count
            guard size <= Self.maximumSize else {
                throw ModelError(.unreadable("the sources have more than \(Self.maximumSize) bytes"), path: path)
            }
            hasModels = hasModels || Self.mayDeclareModel(bytes)
            parts.append(
                (
                    file,
                    SwiftDeclarationScanner.declarations(
                        in: bytes, file: parts.count, defined: selection.conditions)
                ))
        }
        let declarations = SwiftDeclarations(parts)
        guard hasModels, declarations.types.contains(where: \.isModel) else { return nil }
        self.path = path
        self.declarations = declarations
        self.selection = selection
        rules = try Self.rules(paths, selection)
        fileWarnings = finder.warnings
        let schemaFinder = SchemaFinder(declarations: declarations)
        plans = schemaFinder.plans()
        schemas = try Self.schemas(schemaFinder, plans, selection, path: path)
    }

    /// The rules of the file that is named, else those beside the sources.
    private static func rules(
        _ paths: [String], _ selection: SwiftDataSelection
    ) throws(ModelError) -> SwiftDataRules {
        var result = SwiftDataRules()
        var known: Set<String> = []
        for path in selection.rules.map({ [$0] }) ?? paths.map(SwiftDataRules.path) {
            guard known.insert(path).inserted, selection.rules != nil || FileKind(path: path) != nil else { continue }
            let read: SwiftDataRules
            do {
                read = try SwiftDataRules(path: path)
            } catch {
                throw ModelError(.source("\(error)"))
            }
            if let (first, second) = result.contradictions(to: read).first {
                throw ModelError(
                    .source(
                        "the rule \"stored as \(second.answer)\" contradicts \"stored as \(first.answer)\" in another "
                            + "file of rules; name one with --swiftdata-rules"),
                    entity: first.entity, property: first.property, path: path)
            }
            result = result.adding(read)
        }
        return result
    }

    /// The only path, or the folder that has all.
    private static func commonFolder(of paths: [String]) -> String {
        guard var common = paths.first?.split(separator: "/", omittingEmptySubsequences: false), paths.count > 1 else {
            return paths.first ?? ""
        }
        common.removeLast()
        for path in paths.dropFirst() {
            let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            common = zip(common, parts).prefix { $0 == $1 }.map(\.0)
        }
        return common.isEmpty ? "." : common == [""] ? "/" : common.joined(separator: "/")
    }

    /// Whether Swift sources lie at a path: a Swift file, or a folder that is not a model and has some below it.
    public static func areThere(at path: String) -> Bool {
        guard let kind = FileKind(path: path) else { return false }
        if kind == .file { return path.hasSuffix(".swift") }
        let name = NamedPath(path).text
        guard kind == .folder, ![".xcdatamodeld", ".xcdatamodel", ".momd"].contains(where: name.hasSuffix) else {
            return false
        }
        var finder = SwiftFileFinder()
        try? finder.search(path)
        return !finder.files.isEmpty
    }

    private static func mayDeclareModel(_ bytes: [UInt8]) -> Bool {
        let name = Array("Model".utf8)
        var start = 0
        while let place = bytes[start...].firstIndex(of: UInt8(ascii: "@")) {
            start = place + 1
            let rest = bytes[start...].prefix(15)
            if rest.starts(with: name) || rest.starts(with: Array("SwiftData.Model".utf8)) { return true }
        }
        return false
    }

    private static func schemas(
        _ finder: SchemaFinder, _ plans: [SwiftDataMigrationPlan], _ selection: SwiftDataSelection, path: String
    ) throws(ModelError) -> [SwiftDataSchema] {
        if !selection.modelTypes.isEmpty { return [try named(selection.modelTypes, finder.declarations, path: path)] }
        var versions = finder.versionedSchemas()
        // The plan knows the order better than the numbers do.
        let order = plans.max { $0.versions.count < $1.versions.count }?.versions ?? []
        versions.sort { left, right in
            guard let first = order.firstIndex(of: left.name), let second = order.firstIndex(of: right.name) else {
                return false
            }
            return first < second
        }
        if versions.isEmpty { versions = numbered(finder.lists()) }
        if let schema = selection.schema {
            let found = versions.filter { $0.name == schema || $0.name.hasSuffix("." + schema) }
            guard !found.isEmpty else {
                throw ModelError(.unknownVersion(schema, known: versions.map(\.name)), path: path)
            }
            return found
        }
        guard !versions.isEmpty else {
            let names = finder.declarations.types.filter(\.isModel).map(\.qualifiedName)
            throw ModelError(
                .source(
                    "nothing here lists the models of a version (VersionedSchema, Schema([...]), ModelContainer(for:)); "
                        + "name them with --model-types, as in --model-types \(names.prefix(5).joined(separator: ","))"),
                path: path)
        }
        return versions
    }

    private static func numbered(_ lists: [SwiftDataSchema]) -> [SwiftDataSchema] {
        guard lists.count > 1 else { return lists }
        return lists.enumerated().map { index, list in
            SwiftDataSchema(
                name: index == 0 ? list.name : "\(list.name) \(index + 1)", identifier: list.identifier,
                models: list.models, place: list.place, problems: list.problems)
        }
    }

    private static func named(
        _ names: [String], _ declarations: SwiftDeclarations, path: String
    ) throws(ModelError) -> SwiftDataSchema {
        var models: [Int] = []
        for name in names {
            let found = declarations.types.indices.filter { index in
                let type = declarations.types[index]
                return type.isModel && (type.qualifiedName == name || type.name == name)
            }
            let exact = found.filter { declarations.types[$0].qualifiedName == name }
            guard let index = exact.count == 1 ? exact.first : found.first, exact.count == 1 || found.count == 1 else {
                let known = found.isEmpty ? declarations.types.indices.filter { declarations.types[$0].isModel } : found
                throw ModelError(
                    .source(
                        "\(name) is \(found.isEmpty ? "no @Model class of the sources" : "the name of several classes"); "
                            + "known: \(known.prefix(20).map { declarations.types[$0].qualifiedName }.joined(separator: ", "))"
                    ),
                    path: path)
            }
            models.append(index)
        }
        return SwiftDataSchema(
            name: "Schema", identifier: "1.0.0", models: models,
            place: models.first.map { declarations.types[$0].place } ?? SwiftPlace(file: 0, line: 1, column: 1),
            problems: [])
    }

    // MARK: Versions

    /// The versions, those of a migration plan in its order.
    public var modelVersions: ModelVersions {
        let current = currentName
        let name = path.split(separator: "/").last.map { String($0) } ?? path
        let bundle = ModelBundle(
            name: name.hasSuffix(".swift") ? String(name.dropLast(6)) : name, path: path, currentVersionName: current,
            stages: plans.flatMap { plan in
                plan.stages.map { ModelBundle.Stage(from: $0.from, to: $0.to, isCustom: $0.isCustom) }
            })
        let versions = schemas.map { schema in
            ModelVersion(
                name: schema.name, path: "\(path)#\(schema.name)", bundle: bundle,
                documentPath: declarations.files[schema.place.file].path
            ) { () throws(ModelError) in try document(of: schema) }
        }
        let problems = plans.flatMap(\.problems).map { warning($0, .source($0.message)) }
        return ModelVersions(path: path, versions: versions, warnings: fileWarnings + problems)
    }

    /// The version that the app opens its store with: the only one, the one that it names, or the newest.
    private var currentName: String? {
        if schemas.count == 1 { return schemas[0].name }
        let used = SchemaFinder(declarations: declarations).usedVersions().intersection(schemas.map(\.name))
        if used.count == 1 { return used.first }
        if let last = plans.max(by: { $0.versions.count < $1.versions.count })?.versions.last { return last }
        let isVersioned = schemas.contains { $0.name != "Schema" && !$0.name.hasPrefix("Schema ") }
        if isVersioned { return schemas.last?.name }
        // Of lists, the one that holds all others.
        let all = schemas.reduce(into: Set<Int>()) { $0.formUnion($1.models) }
        return schemas.first { Set($0.models) == all }?.name
    }

    private func document(of schema: SwiftDataSchema) throws(ModelError) -> ModelDocument {
        let derived = derivedModel(of: schema)
        if let first = derived.problems.first { throw error(first, others: derived.problems.dropFirst()) }
        return document(of: derived)
    }

    func derivedModel(of schema: SwiftDataSchema, rules others: SwiftDataRules? = nil) -> DerivedModel {
        ModelDerivation.derive(schema, from: declarations, rules: others ?? rules, moment: selection.moment)
    }

    func document(of derived: DerivedModel) -> ModelDocument {
        var document = ModelDocument(model: derived.model)
        for (element, place) in derived.places {
            document.lines[element] = place.line
            document.files[element] = declarations.files[place.file].path
        }
        document.warnings = derived.remarks.map { warning($0, .source($0.message)) }
        for question in derived.questions {
            for entity in [question.entity] + subentities(of: question.entity, in: derived.model) {
                let element = ModelElement.property(question.property, entity: question.entity)
                let place = derived.places[element] ?? derived.places[.entity(question.entity)]
                let problem = SwiftDataProblem(
                    message: question.reason, entity: entity,
                    property: question.property.isEmpty ? nil : question.property,
                    place: place ?? SwiftPlace(file: 0, line: 1, column: 1))
                document.warnings.append(
                    warning(
                        problem,
                        .uncertainHash(
                            question.reason + "; a store of this version tells (ferry hashes --fit STORE --save)")))
            }
        }
        return document
    }

    private func subentities(of name: String, in model: ManagedObjectModel) -> [String] {
        var found: [String] = []
        var open = [name]
        while let next = open.popLast() {
            let children = model.entities.filter { $0.superentityName == next && !found.contains($0.name) }.map(\.name)
            found += children
            open += children
        }
        return found.filter { $0 != name }
    }

    // MARK: Messages

    private static let shownProblems = 20

    private func error(_ first: SwiftDataProblem, others: ArraySlice<SwiftDataProblem>) -> ModelError {
        var error = ModelError(
            .source(first.message), entity: first.entity, property: first.property,
            path: declarations.files[first.place.file].path, line: first.place.line)
        error.column = first.place.column
        error.excerpt = excerpt(at: first.place)
        for other in others.prefix(Self.shownProblems - 1) {
            error.excerpt = (error.excerpt.map { $0 + "\n" } ?? "") + warning(other, .source(other.message)).description
        }
        if others.count >= Self.shownProblems {
            error.excerpt = (error.excerpt ?? "") + "\nand \(others.count - Self.shownProblems + 1) more"
        }
        return error
    }

    func problems(of derived: DerivedModel) -> [ModelWarning] {
        derived.problems.prefix(Self.shownProblems).map { warning($0, .source($0.message)) }
    }

    private func warning(_ problem: SwiftDataProblem, _ code: ModelWarning.Code) -> ModelWarning {
        var warning = ModelWarning(
            code, entity: problem.entity, property: problem.property,
            path: declarations.files[problem.place.file].path, line: problem.place.line)
        warning.column = problem.place.column
        warning.excerpt = excerpt(at: problem.place)
        return warning
    }

    /// The line of a place with a caret; the file is read again for it.
    private func excerpt(at place: SwiftPlace) -> String? {
        let path = declarations.files[place.file].path
        let text = try? SourceText(path: path, maximumSize: Self.maximumFileSize)
        return text?.excerpt(at: SourceLocation(file: path, line: place.line, column: place.column))?.rendered
    }
}
