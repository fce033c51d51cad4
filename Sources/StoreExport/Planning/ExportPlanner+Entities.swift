public import ImportMappings
import ManagedObjectModels
public import PersistentStores
public import StoreFetching
public import ValueTransformers

extension ExportPlanner {
    /// How the objects of whole entities are written.
    public struct Style: Sendable {
        /// The format of the files.
        public var format: ExportFormat
        /// How dates are written.
        public var dates: ValueStyle.Dates

        /// Whether the mapping that brings the objects back is wanted, so that all data are looked at for it.
        public var isThorough: Bool

        /// What makes JSON of the values of transformable attributes; nil for their bytes.
        public var archives: ValueTransformerRegistry?

        /// Makes a style; without arguments it is CSV with dates of ISO 8601.
        public init(
            format: ExportFormat = .csv, dates: ValueStyle.Dates = .iso8601, isThorough: Bool = false
        ) {
            self.format = format
            self.dates = dates
            self.isThorough = isThorough
        }
    }

    /// The entities that have objects of their own.
    public static func entities(of layout: StoreLayout) -> [String] {
        layout.model.entities.filter { !$0.isAbstract && layout.table(ofEntity: $0.slot) != nil }.map(\.name)
    }

    /// The entities of which at least one of some stores has objects of their own, in the order of the stores.
    public static func entities(of stores: [FetchedStore]) -> [String] {
        var names: [String] = []
        for member in stores { names += entities(of: member.layout).filter { !names.contains($0) } }
        return names
    }

    /// Plans the files of whole entities of several stores of a model together, for an `Exporter` of these stores.
    ///
    /// Objects are named by attributes that tell those of all stores apart, or else by their URIs.
    /// - Parameters:
    ///   - entities: the names of the entities.
    ///   - files: names of files by entity; others are named after their entities.
    ///   - stores: the stores, of one version of the model; at least one.
    ///   - style: the format of the files, and how values are written; `isThorough` has no meaning.
    /// - Throws: `FetchError` for an entity that no store has; `ExportError` with all that has no inverse; `SQLiteError`
    ///   if a store cannot be read.
    public static func plan(
        of entities: [String], named files: [String: String] = [:], stores: [FetchedStore], style: Style = Style()
    ) throws -> ExportPlan {
        var result = ExportPlan()
        var left = entities
        while let first = left.first {
            // Stores of former configurations have parts of the model only, which no relationship leaves.
            guard let planning = stores.first(where: { $0.holds(first) }) ?? stores.first else { break }
            let held = left.filter { $0 == first || planning.holds($0) }
            left.removeAll { held.contains($0) }
            let others = stores.filter { $0.store !== planning.store }
            var generator = MappingGenerator(stores: [planning] + others, style)
            var own = style
            own.isThorough = false
            let part = try plan(held, named: files, of: planning, &generator, own)
            result.files += part.plan.files
            result.notes += part.plan.notes
        }
        return result
    }

    private static func plan(
        _ entities: [String], named files: [String: String], of member: FetchedStore,
        _ generator: inout MappingGenerator, _ style: Style
    ) throws -> (plan: ExportPlan, mapping: ImportMapping) {
        let mapping = try generator.mapping(of: entities, files: files)
        var plan = try plan(
            inverting: mapping, store: member.store, layout: member.layout, format: style.format,
            isThorough: style.isThorough, transformers: style.archives ?? ValueTransformerRegistry(),
            without: generator.unfindable)
        for index in plan.files.indices {
            plan.files[index].columns += generator.extraColumns[plan.files[index].entity] ?? []
        }
        // What the mapping leaves out is said by who made it.
        plan.notes = generator.notes + plan.notes.filter { !generator.notes.contains($0) }
        return (plan, mapping)
    }

    /// Plans the files of whole entities, with all of their properties, and the mapping that brings them back.
    ///
    /// - Parameters:
    ///   - entities: the names of the entities.
    ///   - files: names of files by entity; others are named after their entities.
    ///   - store: the store, which is open.
    ///   - layout: the tables and columns of the store, and its model.
    ///   - style: the format of the files, and how values are written.
    /// - Throws: `FetchError` for an entity that the model does not have, or whose table the store lacks; `ExportError`
    ///   with all that has no inverse; `SQLiteError` if the store cannot be read.
    public static func plan(
        of entities: [String], named files: [String: String] = [:], store: SQLiteStore, layout: StoreLayout,
        style: Style = Style()
    ) throws -> (plan: ExportPlan, mapping: ImportMapping) {
        var generator = MappingGenerator(
            store: store, layout: layout, format: style.format, dates: style.dates, isThorough: style.isThorough,
            archivesAsJSON: style.archives != nil)
        let (made, mapping) = try plan(entities, named: files, of: FetchedStore(store, layout), &generator, style)
        guard style.isThorough else { return (made, mapping) }
        var plan = made
        // A source of which nothing becomes part of an object makes an import refuse the whole mapping.
        // So does a file that no source is for.
        let bare = mapping.sources.filter(\.isBare)
        let left = Set(bare.map(\.name))
        let isPart = bare.count < mapping.sources.count
        plan.notes += bare.map {
            ExportProblem(
                $0.name,
                "its records say nothing of their objects that an import could take"
                    + (isPart ? ", so that it is left out" : ""))
        }
        plan.files.removeAll { left.contains($0.name) && (isPart || $0.columns.isEmpty) }
        return (plan, ImportMapping(settings: mapping.settings, sources: mapping.sources.filter { !$0.isBare }))
    }
}

extension SourceMapping {
    /// Whether its objects have neither an attribute nor a relationship.
    fileprivate var isBare: Bool { objects.allSatisfy { $0.attributes.isEmpty && $0.relationships.isEmpty } }
}
