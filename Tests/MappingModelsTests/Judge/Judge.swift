import Foundation
import TestSupport

/// The independent checker of migrated stores beside the corpus, asked what it thinks of pairs of models.
///
/// Its code shares nothing with ours: agreement on the pairing of names and on the refusals is worth something.
enum Judge {
    /// A question: two `contents` files, and perhaps a store of the first one.
    struct Pair {
        let source: String
        let destination: String
        var store: String?
    }

    /// What the checker finds of a pair.
    struct Verdict: Decodable {
        /// Destination entity to source entity.
        let entities: [String: String]
        /// Destination `Entity.property` to the source's property where that is another one; empty if it is new.
        /// Stored ones, inherited ones included.
        let properties: [String: String]
        /// What stands against a migration, also by the data where there is a store.
        let blockers: [String]
    }

    /// The checker's file; nil if it or Python is absent.
    static let path: String? = {
        guard let corpus = Corpus.path else { return nil }
        let path = (corpus as NSString).deletingLastPathComponent + "/tools/storecheck"
        let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
        return FileManager.default.fileExists(atPath: path) && python != nil ? path : nil
    }()

    static var isPresent: Bool { path != nil }

    /// Asks for verdicts, in the order of the pairs.
    static func verdicts(on pairs: [Pair]) throws -> [Verdict] {
        guard let path else { return [] }
        let directory = try TemporaryDirectory()
        let script = try directory.write(Self.script, to: "verdicts.py")
        let list = try directory.write(
            pairs.map { "\($0.source)\t\($0.destination)\t\($0.store ?? "")" }.joined(separator: "\n"), to: "pairs.tsv")
        let output = directory.file("verdicts.json")
        _ = try ToolProcess.run("/usr/bin/env", ["python3", "-B", script, path, list, output])
        return try JSONDecoder().decode([Verdict].self, from: Data(contentsOf: URL(fileURLWithPath: output)))
    }

    /// Loads the checker as a module: its arguments are the checker, a list of pairs, and the file to write.
    private static let script = """
        import functools, importlib.machinery, importlib.util, json, sys
        loader = importlib.machinery.SourceFileLoader('storecheck', sys.argv[1])
        check = importlib.util.module_from_spec(importlib.util.spec_from_loader('storecheck', loader))
        loader.exec_module(check)
        model = functools.lru_cache(maxsize=64)(check.Model)
        graph = functools.lru_cache(maxsize=2)(lambda store, source: check.Graph(check.Store(store), model(source)))
        verdicts = []
        for line in open(sys.argv[2], encoding='utf-8'):
            source, destination, store = line.rstrip('\\n').split('\\t')
            mapping = check.Mapping(model(source), model(destination))
            blockers = mapping.blockers
            if store:
                blockers = check.expected_nodes(graph(store, source), mapping, model(destination))[1]
            properties = {}
            for d, pairs in mapping.props.items():
                for p in [*d.attributes.values(), *d.relationships.values()]:
                    former = pairs[p].name if p in pairs else ''
                    if former != p.name:
                        properties['%s.%s' % (d.name, p.name)] = former
            verdicts.append({'blockers': blockers, 'properties': properties,
                             'entities': {d.name: s.name for d, s in mapping.entities.items()}})
        json.dump(verdicts, open(sys.argv[3], 'w', encoding='utf-8'))
        """
}
