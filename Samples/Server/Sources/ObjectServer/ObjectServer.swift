import ManagedObjectModels
import ManagedObjects
import PersistentStores
import PredicateExpressions
import StoreFetching
import StoreMigration

/// Answers queries of a store, as many at once as it has workers; each has a context of its own.
public struct ObjectServer: Sendable {
    private let coordinator: PersistentStoreCoordinator
    private let workers: [ContextActor]

    /// How often a change is tried again that somebody else was quicker with.
    private static let attempts = 20

    public init(store path: String, models: String, workers: Int) throws {
        let version = try VersionCatalog(paths: [models]).sourceVersion(of: SQLiteStore(path: path), named: nil)
        let coordinator = PersistentStoreCoordinator(model: version.model)
        try coordinator.addStore(at: path)
        self.coordinator = coordinator
        self.workers = (0..<max(1, workers)).map { _ in ContextActor(coordinator) }
    }

    /// Answers lines as they come, in whatever order the answers are ready.
    ///
    /// - Parameter respond: gets the number of the line, from 1, and the answer.
    public func serve<Lines: AsyncSequence>(
        _ lines: Lines, respond: @Sendable @escaping (Int, String) async -> Void
    ) async throws where Lines.Element == String {
        try await withThrowingTaskGroup(of: Int.self) { group in
            var idle = Array(workers.indices)
            var number = 0
            for try await line in lines {
                // No more tasks than workers: a client that asks faster waits.
                if idle.isEmpty, let worker = try await group.next() { idle.append(worker) }
                guard let worker = idle.popLast() else { continue }
                number += 1
                group.addTask { [number] in
                    await respond(number, await answer(line, by: worker))
                    return worker
                }
            }
            try await group.waitForAll()
        }
    }

    /// The answer to one line.
    public func answer(_ line: String) async -> String { await answer(line, by: 0) }

    private func answer(_ line: String, by worker: Int) async -> String {
        guard let query = Query(line) else { return "error: not a query" }
        do {
            return try await workers[worker].perform { context in
                // Every answer is of what the store has by then.
                context.reset()
                return try Self.answer(query, in: context)
            }
        } catch {
            return "error: \(error)"
        }
    }

    private static func answer(_ query: Query, in context: ManagedObjectContext) throws -> String {
        switch query {
        case .count(let entity, let filter): return "\(try context.count(request(entity, filter)))"
        case .fetch(let entity, let filter):
            return try context.fetchObjectIDs(request(entity, filter)).map(\.uri).joined(separator: " ")
        case .object(let uri):
            let values = try object(uri, in: context).snapshot().attributes
            return values.sorted { $0.key < $1.key }.map { "\($0.key)=\(text($0.value))" }.joined(separator: " ")
        case .set(let uri, let attribute, let value):
            let object = try object(uri, in: context)
            try set(AttributeKey(attribute), to: value, of: object, in: context)
            return "saved"
        }
    }

    private static func request(_ entity: String, _ filter: String?) throws -> FetchRequest {
        FetchRequest(entityName: entity, predicate: try filter.map { try FormatPredicate(format: $0) })
    }

    private static func object(_ uri: String, in context: ManagedObjectContext) throws -> ManagedObject {
        guard let id = context.coordinator.objectID(forURI: uri) else { throw ServerError.unknownObject(uri) }
        return try context.existingObject(with: id)
    }

    private static func set(
        _ key: AttributeKey<String>, to value: String, of object: ManagedObject, in context: ManagedObjectContext
    ) throws {
        for attempt in 1... {
            try object.setValue(value, of: key)
            do {
                try context.save()
                return
            } catch let conflict as MergeConflictError {
                guard attempt < attempts else { throw conflict }
                try context.refresh(object, mergeChanges: false)
            }
        }
    }

    private static func text(_ value: AttributeValue) -> String {
        switch value {
        case .integer(let number): "\(number)"
        case .real(let number), .date(let number): "\(number)"
        case .boolean(let flag): "\(flag)"
        case .decimal(let text), .string(let text), .uri(let text), .unparsed(let text): text
        case .binary(let bytes), .uuid(let bytes): "\(bytes.count) bytes"
        case .array(let values): "\(values.count) values"
        }
    }
}

/// What a client asks for in vain.
enum ServerError: Error, CustomStringConvertible {
    case unknownObject(String)

    var description: String {
        switch self {
        case .unknownObject(let uri): "\(uri) is not an object of the store"
        }
    }
}
