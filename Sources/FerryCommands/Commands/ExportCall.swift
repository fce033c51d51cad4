import CommandLineParsing
import ImportMappings
import ManagedObjectModels
import PersistentStores
import StoreExport
import StoreFetching
import StoreMigration
import ValueTransformers

/// A request to export objects, whose options have been checked against each other.
struct ExportCall {
    private let options: ExportOptions
    private let standard: StandardDocument

    init(_ options: ExportOptions) throws(UsageError) {
        self.options = options
        let documents = [("--rejects", options.rejects), ("--write-mapping", options.newMapping)]
        standard = try StandardDocument(documents)
        // The objects are written to standard output.
        for (option, path) in documents where path == CommandOutput.standard && options.output == nil {
            throw .dependent("\(option) -", on: "--output PATH")
        }
        if options.isAll, !options.entities.isEmpty { throw .conflict("--all", with: "--entity") }
        if options.mapping == nil, !options.isAll, options.entities.isEmpty {
            throw .missing("--entity ENTITY, --all or --mapping FILE")
        }
        if options.mapping != nil {
            for (isSet, option) in [
                (options.isAll, "--all"), (options.columns != nil, "--columns"),
                (options.dates != .iso8601, "--dates"), (options.archives == .json, "--archives json"),
            ] where isSet { throw .conflict("--mapping", with: option) }
        }
        if options.mapping == nil, options.archives != .json, !options.transformers.isEmpty {
            throw .dependent("--transformer", on: "--archives json or --mapping")
        }
        for (isSet, option) in [
            (options.mapping != nil, "--mapping"), (options.newMapping != nil, "--write-mapping"),
        ] where isSet && options.operands.count > 1 { throw .conflict(option, with: "several stores") }
        if options.columns != nil, options.newMapping != nil { throw .conflict("--columns", with: "--write-mapping") }
        if options.columns != nil, options.isAll || options.entities.count != 1 {
            throw .dependent("--columns", on: "one --entity")
        }
    }

    private var format: ExportFormat { options.format ?? namedFormat ?? .csv }

    /// The format that the extension of the output file indicates.
    private var namedFormat: ExportFormat? {
        guard options.entities.count == 1, !options.isAll else { return nil }
        return options.output.flatMap { isFolder($0) ? nil : Self.format(ofExtension: Self.pathExtension(of: $0)) }
    }

    private static func format(ofExtension name: String) -> ExportFormat? {
        name == "jsonl" ? .ndjson : ExportFormat(rawValue: name)
    }

    /// Returns the extension in lower case; empty if the name has none.
    private static func pathExtension(of path: String) -> String {
        let name = FileSystem.name(of: path)
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }

    /// Notes the format of a file whose name indicates another format, unless the format was requested.
    private func noteOtherFormat(_ file: ExportFile, _ path: String) {
        let name = Self.pathExtension(of: path)
        let named = Self.format(ofExtension: name)
        // With a mapping, files may have any extension.
        guard options.format == nil, named != file.format, named != nil || options.mapping == nil, !name.isEmpty,
            name != "txt"
        else { return }
        Console.note("note: \(path) holds \(file.format.rawValue); --format names another form\n")
    }

    func run(_ watch: ProgressWatch) throws -> ExitStatus {
        for path in [options.newMapping, options.rejects].compactMap(\.self) {
            try CommandOutput.check(path, isReplacing: options.isForced)
        }
        let stores = try OpenedStore.open(
            options.operands, models: options.models, sources: options.sources, version: options.version,
            isMerging: options.isMerging)
        do {
            // The keys for reading are determined in the same transaction in which the records are read.
            return try FetchedStore.reading(stores.map(\.fetched)) { try export(stores, watch) }
        } catch let error as FetchError {
            throw MarkedFetchError(error, texts: [options.predicate, options.columns].compactMap { $0 })
        } catch is StandardOutput.Closed {
            return .done
        }
    }

    private func export(_ stores: [OpenedStore], _ watch: ProgressWatch) throws -> ExitStatus {
        let opened = stores[0]
        var plan: ExportPlan
        var generated: ImportMapping?
        if let path = options.mapping {
            var mapping = try ImportMappingReader.read(path: path).mapping
            if options.newMapping != nil {
                mapping = MappingConversion.mapping(mapping, to: options.format, model: opened.model)
                generated = mapping
            }
            plan = try ExportPlanner.plan(
                inverting: mapping, store: opened.store, layout: opened.layout, format: options.format,
                transformers: options.transformers.registry)
            if !options.entities.isEmpty { plan.files = plan.files.compactMap { $0.keeping(options.entities) } }
        } else {
            (plan, generated) = try self.plan(stores)
        }
        for note in plan.notes { Console.note("warning: \(note)\n") }
        let refused = try write(plan, stores, watch)
        if let path = options.newMapping, generated?.sources.isEmpty ?? false {
            Console.note("warning: \(path) is not written: an import can make no objects from these files\n")
        } else if let generated, let path = options.newMapping {
            try CommandOutput.write(
                ImportMappingWriter.yaml(generated), to: path, isReplacing: options.isForced)
        }
        return plan.notes.isEmpty && refused == 0 ? .done : .findings
    }

    // MARK: Contents

    private var archives: ValueTransformerRegistry? {
        options.archives == .json ? options.transformers.registry : nil
    }

    private func entities(_ stores: [OpenedStore]) throws -> [String] {
        if options.isAll { return ExportPlanner.entities(of: stores.map(\.fetched)) }
        let model = stores[0].model
        for name in options.entities {
            guard let entity = model.entity(named: name), entity.isAbstract else { continue }
            let concrete = entity.subtree.map { model.entities[$0] }.filter { !$0.isAbstract }.map(\.name)
            throw UsageError.badValue(
                name, of: "--entity",
                expected: "an entity that has objects of its own: \(concrete.joined(separator: ", "))")
        }
        return options.entities
    }

    private func plan(_ stores: [OpenedStore]) throws -> (ExportPlan, ImportMapping) {
        let names = try entities(stores)
        if let columns = options.columns {
            if format != .csv { try FormatArgument.checkKeys(columns, format: format.rawValue) }
            // An individual selection needs no mapping, and the data are not examined.
            var file = ExportFile(
                name: "\(names[0]).\(format.rawValue)", entity: names[0], format: format,
                columns: try FormatArgument.parts(columns).map {
                    ExportColumn(
                        path: [$0], value: try FormatArgument.expression($0, of: "--columns"),
                        style: ValueStyle(dates: options.dates))
                })
            file.transformers = archives
            return (ExportPlan(files: [file]), ImportMapping(sources: []))
        }
        var files: [String: String] = [:]
        if names.count == 1, !options.isAll, let output = options.output, !isFolder(output) {
            files[names[0]] = FileSystem.name(of: output)
        }
        var style = ExportPlanner.Style(
            format: format, dates: options.dates, isThorough: options.newMapping != nil)
        style.archives = archives
        if stores.count > 1 {
            let plan = try ExportPlanner.plan(of: names, named: files, stores: stores.map(\.fetched), style: style)
            return (plan, ImportMapping(sources: []))
        }
        return try ExportPlanner.plan(
            of: names, named: files, store: stores[0].store, layout: stores[0].layout, style: style)
    }

    // MARK: Output

    /// Writes the files; returns the number of objects that were left out because they could not be imported unchanged.
    private func write(_ plan: ExportPlan, _ stores: [OpenedStore], _ watch: ProgressWatch) throws -> Int64 {
        var exporter = Exporter(stores: stores.map(\.fetched))
        exporter.predicate = try options.predicate.map { try FormatArgument.predicate($0, of: "--where") }
        exporter.isReplacing = options.isForced
        exporter.onProgress = { watch.count($0.rowsDone, of: $0.rowsTotal, in: $0.entity) }
        exporter.isCancelled = { Cancellation.isRequested }
        exporter.sortDescriptors = options.sort.map { FetchSortDescriptor(argument: $0) }
        var rejects = try ExportRejects(path: options.rejects, isReplacing: options.isForced)
        exporter.onRefusal = { try rejects.add($0) }
        do {
            try write(plan, exporter)
            try rejects.finish()
        } catch {
            plan.discardBinaryFiles()
            throw error
        }
        return rejects.count
    }

    private func write(_ plan: ExportPlan, _ exporter: Exporter) throws {
        guard let output = options.output else {
            guard plan.files.count == 1 else {
                throw UsageError.missing("--output FOLDER, for \(plan.files.count) files")
            }
            if plan.hasBinaryFiles { throw UsageError.missing("--output PATH, for files of binary data") }
            try exporter.write(plan.files[0], to: StandardOutput.write)
            return
        }
        if plan.files.count == 1, !options.isAll, !isFolder(output) {
            try CommandOutput.check(output, isReplacing: options.isForced)
            noteOtherFormat(plan.files[0], output)
            try report(exporter.write(plan.files[0], path: output), plan.files[0], output)
            return
        }
        for file in plan.files where FileSystem.exists(output) {
            try CommandOutput.check(output + "/" + file.name, isReplacing: options.isForced)
        }
        let counts = try exporter.write(plan.files, into: output)
        for (file, count) in zip(plan.files, counts) { try report(count, file, output + "/" + file.name) }
    }

    private func isFolder(_ path: String) -> Bool { path.hasSuffix("/") || FileSystem.isDirectory(path) }

    private func report(_ count: Int64, _ file: ExportFile, _ path: String) throws {
        var entities: [String] = []
        for entity in [file.entity] + file.sections.map(\.entity) where !entities.contains(entity) {
            entities.append(entity)
        }
        let pairs = file.unwoundRelationship
        let what = Quantity.count(
            count, pairs.map { "pair of \($0)" } ?? "object", plural: pairs.map { "pairs of \($0)" })
        standard.say("\(what) of \(entities.joined(separator: ", ")) in \(path)\n")
    }
}
