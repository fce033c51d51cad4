import CommandLineParsing
import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import StoreFetching
import StoreMigration

/// A request to fetch objects, whose options have been checked against each other.
struct FetchCall {
    private let options: FetchOptions

    init(_ options: FetchOptions) throws {
        self.options = options
        if options.entity == nil, options.template == nil, options.objectIDs.isEmpty {
            throw UsageError.missing("--entity ENTITY or --template NAME or --id URI")
        }
        if options.operands.count > 1 {
            for (isSet, option) in [
                (options.fetchedProperty != nil, "--fetched"), (options.isDistinct, "--distinct"),
                (isGrouped, "--group or an aggregate"),
            ] where isSet { throw UsageError.conflict(option, with: "several stores") }
        }
        for (isSet, option) in [(options.template != nil, "--template"), (options.fetchedProperty != nil, "--fetched")]
        where isSet && !options.objectIDs.isEmpty { throw UsageError.conflict("--id", with: option) }
        if options.entity != nil, options.template != nil { throw UsageError.conflict("--entity", with: "--template") }
        if options.isIDs, options.columns != nil { throw UsageError.conflict("--ids", with: "--columns") }
        if let columns = options.columns, options.format == .json || options.format == .ndjson {
            try FormatArgument.checkKeys(columns, format: options.format.rawValue)
        }
        if options.isIDs, isGrouped { throw UsageError.conflict("--ids", with: "--group or an aggregate") }
        if options.fetchedProperty != nil {
            guard options.entity != nil else { throw UsageError.dependent("--fetched", on: "--entity") }
            for (isSet, option) in [
                (isGrouped, "--group or an aggregate"), (options.isDistinct, "--distinct"),
                (!options.sort.isEmpty, "--sort"),
            ] where isSet { throw UsageError.conflict("--fetched", with: option) }
        }
        if options.having != nil, !isGrouped { throw UsageError.dependent("--having", on: "--group or an aggregate") }
        if options.archives != .json, !options.transformers.isEmpty {
            throw UsageError.dependent("--transformer", on: "--archives json")
        }
        if options.isDistinct, options.columns == nil, !isGrouped {
            throw UsageError.dependent("--distinct", on: "--columns")
        }
    }

    /// Whether the results are groups. A count alone is the number of objects.
    private var isGrouped: Bool { options.group != nil || !aggregates.isEmpty }

    private var aggregates: [(GroupAggregate, String)] {
        options.sums.map { (.sum, $0) } + options.averages.map { (.average, $0) }
            + options.minima.map { (.minimum, $0) } + options.maxima.map { (.maximum, $0) }
    }

    func run() throws -> ExitStatus {
        let opened = try OpenedStore.open(
            options.operands, models: options.models, sources: options.sources, version: options.version,
            isMerging: options.isMerging)
        do {
            let union = try FetchUnion(try request(opened), to: opened.map(\.fetched))
            if options.showsSQL {
                try explain(union, of: opened)
            } else {
                try write(union, of: opened)
            }
        } catch let error as FetchError {
            throw MarkedFetchError(error, texts: [options.predicate, options.columns].compactMap { $0 })
        } catch is StandardOutput.Closed {
            return .done
        }
        return .done
    }

    private func explain(_ union: FetchUnion, of stores: [OpenedStore]) throws {
        for (plan, member) in zip(union.plans, union.stores) {
            for (path, opened) in zip(options.operands, stores) where stores.count > 1 && opened.store === member.store
            {
                Console.print("Store \(path)\n")
            }
            Console.print(try plan.explanation(on: member.store.connection))
        }
    }

    private func write(_ union: FetchUnion, of stores: [OpenedStore]) throws {
        let output = OutputBuffer(StandardOutput.write)
        let styles = union.cursors[0].columns.map { _ in ValueStyle(dates: options.dates) }
        switch options.format {
        case .text:
            let names = names(of: stores)
            try union.writeAll { TextTableWriter(output, for: $0, styles: styles, storeNames: names) }
        case .csv: try union.writeAll { CSVWriter(output, for: $0, styles: styles) }
        case .json, .ndjson:
            try union.writeAll {
                try JSONWriter(output, for: $0, isLines: options.format == .ndjson, styles: styles)
            }
        }
    }

    /// Returns the names of the stores for users: their file names, or the beginnings of their UUIDs if file names are
    /// equal.
    private func names(of stores: [OpenedStore]) -> [String: String] {
        guard stores.count > 1 else { return [:] }
        let names = options.operands.map { FileSystem.name(of: $0) }
        let isClear = Set(names).count == names.count
        let uuids = stores.map(\.store.metadata.uuid)
        return Dictionary(uniqueKeysWithValues: zip(uuids, isClear ? names : uuids.map { String($0.prefix(8)) }))
    }

    // MARK: The request

    private func request(_ opened: [OpenedStore]) throws -> FetchRequest {
        let model = opened[0].model
        let variables = Dictionary(options.variables.map { ($0.name, ConstantValue(argument: $0.value)) }) { $1 }
        let filter = try options.predicate.map { try FormatArgument.predicate($0, of: "--where") }
        var request =
            try fetchedProperty(model, filter) ?? template(model, variables) ?? objects(opened)
            ?? FetchRequest(entityName: options.entity ?? "")
        request.variables = variables
        if request.fetchSource == nil, let predicate = filter {
            request.predicate = request.predicate.map { .and([$0, predicate]) } ?? predicate
        }
        if !options.sort.isEmpty { request.sortDescriptors = options.sort.map { FetchSortDescriptor(argument: $0) } }
        if options.limit > 0 { request.fetchLimit = options.limit }
        if options.offset > 0 { request.fetchOffset = options.offset }
        if options.isExact { request.includesSubentities = false }
        if options.isDistinct { request.returnsDistinctResults = true }
        request.relationshipKeyPathsForPrefetching += options.prefetch
        if options.isIDs { request.resultType = .objectIDs }
        if options.archives == .json { request.transformers = options.transformers.registry }
        request = try shape(request)
        for type in options.resultTypes {
            guard let place = request.propertiesToFetch.firstIndex(where: { $0.name == type.name }) else {
                throw UsageError.badValue(type.name, of: "--result-type", expected: "a column, or an aggregate")
            }
            let name = type.value.filter { $0 != " " }.lowercased()
            guard
                let known = AttributeType.allCases.first(where: {
                    $0.name.filter { $0 != " " }.lowercased() == name && $0.valueClassName != nil
                })
            else {
                throw UsageError.badValue(
                    type.value, of: "--result-type", expected: "a type such as Integer64 or Double")
            }
            request.propertiesToFetch[place].resultType = known
        }
        return request
    }

    /// Returns a request for the values of a fetched property; the filter then applies to the objects that have the
    /// property.
    private func fetchedProperty(_ model: ResolvedModel, _ filter: Predicate?) throws -> FetchRequest? {
        guard let name = options.fetchedProperty else { return nil }
        return try FetchRequest(fetchedProperty: name, of: options.entity ?? "", in: model, where: filter)
    }

    private func objects(_ opened: [OpenedStore]) throws -> FetchRequest? {
        guard !options.objectIDs.isEmpty else { return nil }
        return try FetchRequest(
            objectIDs: options.objectIDs, entityName: options.entity, in: opened.map(\.fetched))
    }

    private func template(_ model: ResolvedModel, _ variables: [String: ConstantValue]) throws -> FetchRequest? {
        guard let name = options.template else { return nil }
        let templates = model.model.fetchRequestTemplates
        guard let template = templates.first(where: { $0.name == name }) else {
            throw FetchError(.templateUnknown(name, known: templates.map(\.name)))
        }
        return try FetchRequest(template: template, variables: variables)
    }

    /// Returns a request with columns, groups and aggregates.
    private func shape(_ original: FetchRequest) throws -> FetchRequest {
        var request = original
        if let columns = options.columns {
            request.resultType = .dictionaries
            request.propertiesToFetch = try FormatArgument.parts(columns).map {
                FetchedProperty(name: $0, .expression(try FormatArgument.expression($0, of: "--columns")))
            }
        }
        guard isGrouped else {
            if options.isCounting { request.resultType = .count }
            return request
        }
        request.resultType = .dictionaries
        request.propertiesToGroupBy =
            try options.group.map(FormatArgument.parts)?.map {
                try FormatArgument.expression($0, of: "--group")
            } ?? []
        if options.isCounting { request.propertiesToFetch.append(FetchedProperty(.count, of: nil)) }
        for (aggregate, text) in aggregates {
            let value = try FormatArgument.expression(text, of: "--\(aggregate.rawValue)")
            request.propertiesToFetch.append(FetchedProperty(aggregate, of: value))
        }
        request.havingPredicate = try options.having.map { try FormatArgument.predicate($0, of: "--having") }
        return request
    }
}

extension FetchSortDescriptor {
    /// Parses `name`, `-name` or `name:localizedStandardCompare:`.
    init(argument: String) {
        let isDescending = argument.hasPrefix("-")
        let text = isDescending ? argument.dropFirst() : argument[...]
        let colon = text.firstIndex(of: ":")
        var selector = colon.map { String(text[text.index(after: $0)...]) }
        if let name = selector, !name.hasSuffix(":") { selector = name + ":" }
        self.init(
            keyPath: String(colon.map { text[..<$0] } ?? text), isAscending: !isDescending, selectorName: selector)
    }
}
