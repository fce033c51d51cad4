public import ImportMappings
import ManagedObjectModels
public import PersistentStores
public import StoreFetching
public import ValueTransformers

extension ExportPlanner {
    /// The style in which the objects of whole entities are written.
    public struct Style: Sendable {
        /// The format of the files.
        public var format: ExportFormat
        /// How dates are written.
        public var dates: ValueStyle.Dates

        /// Whether the mapping for an import is needed, so that all data are examined.
        public var isThorough: Bool

        /// Converts the values of transformable attributes to JSON; nil to write their bytes.
        public var archives: ValueTransformerRegistry?

        /// Creates a style; by default, CSV with ISO 8601 dates.
        public init(
            format: ExportFormat = .csv, dates: ValueStyle.Dates = .iso8601, isThorough: Bool = false
        ) {
            self.format = format
            self.dates = dates
            self.isThorough = isThorough
        }
    }

    /// Returns the entities that have objects of their own.
    public static func entities(of layout: StoreLayout) -> [String] {
        layout.model.entities.filter { !$0.isAbstract && layout.table(ofEntity: $0.slot) != nil }.map(\.name)
    }

    /// Returns the entities with objects of their own in at least one of several stores, in the order of the stores.
    public static func entities(of stores: [FetchedStore]) -> [String] {
        var names: [String] = []
        for member in stores { names += entities(of: member.layout).filter { !names.contains($0) } }
        return names
    }

    /// Plans the files of whole entities of several stores with one model, for an `Exporter` of these stores.
    ///
    /// Objects are identified by attributes that are unique in all stores together, or else by their URIs.
    /// - Parameters:
    ///   - entities: the names of the entities.
    ///   - files: the names of files by entity; other files are named after their entities.
    ///   - stores: at least one store; all have the same version of the model.
    ///   - style: the format of the files, and the style of values; `isThorough` is ignored.
    /// - Throws: `FetchError` for an entity that no store has; `ExportError` if parts of the mapping have no inverse;
    ///   `SQLiteError` if a store cannot be read.
    public static func plan(
        of entities: [String], named files: [String: String] = [:], stores: [FetchedStore], style: Style = Style()
    ) throws -> ExportPlan {
        var result = ExportPlan()
        var left = entities
        while let first = left.first {
            // Stores of old configurations have only a part of the model, and no relationship leads out of it.
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
        // The generator has already noted what the mapping leaves out.
        plan.notes = generator.notes + plan.notes.filter { !generator.notes.contains($0) }
        return (plan, mapping)
    }

    /// Plans the files of whole entities with all of their properties, and the mapping that imports them again.
    ///
    /// - Parameters:
    ///   - entities: the names of the entities.
    ///   - files: the names of files by entity; other files are named after their entities.
    ///   - store: an open store.
    ///   - layout: the tables and columns of the store, and its model.
    ///   - style: the format of the files, and the style of values.
    /// - Throws: `FetchError` for an entity that the model does not have, or whose table the store lacks; `ExportError`
    ///   if parts of the mapping have no inverse; `SQLiteError` if the store cannot be read.
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
        // An import refuses a mapping in which a source has no attributes or relationships. It also refuses files
        // without a source.
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
    /// Whether its objects have neither attributes nor relationships.
    fileprivate var isBare: Bool { objects.allSatisfy { $0.attributes.isEmpty && $0.relationships.isEmpty } }
}
