import ManagedObjectModels
import PersistentStores

/// The versions of a model from the oldest to the newest, as far as names and mapping models show it.
///
/// Names are ordered as Xcode numbers them (`App`, `App 2`, `App 10`). A mapping model from one version to another
/// takes precedence over their names.
///
/// Nothing is read before the order is needed, because most migrations do not need it.
final class VersionOrder {
    /// The versions without duplicates, whatever their names.
    private lazy var versions = Self.sorted(named(), edges)

    private lazy var positions = Dictionary(
        versions.enumerated().map { ($0.element.digest, $0.offset) }, uniquingKeysWith: { first, _ in first })

    private let catalog: VersionCatalog
    private let anchors: [VersionedModel]
    private let edges: [MappingEdge]
    private let part: (VersionedModel) -> VersionedModel?

    /// - Parameters:
    ///   - anchors: versions of the bundle to use; the first one that is in a bundle determines it.
    ///   - part: restricts a version to the configuration of the store; returns nil if the version does not have it.
    init(
        _ catalog: VersionCatalog, anchors: [VersionedModel], edges: [MappingEdge],
        part: @escaping (VersionedModel) -> VersionedModel?
    ) {
        self.catalog = catalog
        self.anchors = anchors
        self.edges = edges
        self.part = part
    }

    /// Returns the versions of the bundle, or those in the same folder, in the order of their names.
    private func named() -> [VersionedModel] {
        let known = Set(catalog.versions.map(\.path))
        guard let anchor = anchors.first(where: { known.contains($0.path) }) else { return [] }
        let bundle = catalog.bundle(of: anchor.path)?.path
        let folder = FileSystem.directory(of: anchor.path)
        let siblings = catalog.versions.filter {
            bundle == nil
                ? $0.bundle == nil && FileSystem.directory(of: $0.path) == folder && !catalog.isStore($0)
                : $0.bundle?.path == bundle
        }
        var seen: Set<String> = []
        // A version that cannot be read is not part of the order.
        return siblings.compactMap { (try? catalog.candidate($0)).flatMap(part) }
            .filter { seen.insert($0.digest).inserted }
    }

    /// Returns the versions in order: repeatedly takes the first version by name that no other version must precede. If
    /// mapping models form a cycle, the names decide.
    private static func sorted(_ named: [VersionedModel], _ edges: [MappingEdge]) -> [VersionedModel] {
        let certain = edges.filter { edge in !leads(edge.destination.digest, to: edge.source.digest, edges) }
        var result: [VersionedModel] = []
        var rest = named
        while !rest.isEmpty {
            let waiting = Set(rest.map(\.digest))
            let index = rest.firstIndex { version in
                !certain.contains { $0.destination.digest == version.digest && waiting.contains($0.source.digest) }
            }
            result.append(rest.remove(at: index ?? 0))
        }
        return result
    }

    /// Returns whether mapping models lead from one version to another.
    private static func leads(_ source: String, to destination: String, _ edges: [MappingEdge]) -> Bool {
        var reached: Set<String> = [source]
        var open = [source]
        while let next = open.popLast() {
            if next == destination { return true }
            for edge in edges where edge.source.digest == next && reached.insert(edge.destination.digest).inserted {
                open.append(edge.destination.digest)
            }
        }
        return false
    }

    func position(of version: VersionedModel) -> Int? { positions[version.digest] }

    /// Returns the versions between two, in order; empty if the order is not known.
    func between(_ source: VersionedModel, _ destination: VersionedModel) -> [VersionedModel] {
        guard let from = position(of: source), let to = position(of: destination), from != to else { return [] }
        return from < to ? Array(versions[(from + 1)..<to]) : versions[(to + 1)..<from].reversed()
    }
}
