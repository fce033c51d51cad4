import DocumentReading
public import ManagedObjectModels

extension ModelVersions {
    /// Finds the versions of models at a path, in model files or Swift sources.
    ///
    /// In a folder with both, both are included.
    /// - Throws: `ModelError` if there is no model at the path, or a model cannot be read.
    public init(path: String, swiftData selection: SwiftDataSelection) throws(ModelError) {
        guard SwiftDataSources.areThere(at: path) else {
            try self.init(path: path)
            return
        }
        let isSource = FileKind(path: path) == .file
        var root = path
        while root.utf8.count > 1, root.hasSuffix("/") { root.removeLast() }
        if isSource || selection.namesModels {
            guard let sources = try SwiftDataSources(paths: [root], selection: selection) else {
                throw ModelError(.source("no class of these sources is a @Model"), path: root)
            }
            self = sources.modelVersions
            return
        }
        let files: Result<ModelVersions, ModelError> = Result { () throws(ModelError) in try ModelVersions(path: root) }
        switch files {
        case .success(let found):
            // Sources beside a model may contain classes in no list, which is not a reason to refuse the model.
            do throws(ModelError) {
                guard let sources = try SwiftDataSources(paths: [root], selection: selection) else {
                    self = found
                    return
                }
                self = found.joined(with: sources.modelVersions)
            } catch {
                self = found.joined(
                    with: ModelVersions(
                        path: root, versions: [], warnings: [ModelWarning(.source(error.reason), path: error.path)]))
            }
        case .failure(let error):
            guard let sources = try SwiftDataSources(paths: [root], selection: selection) else {
                guard error.code == .noVersions else { throw error }
                throw ModelError(
                    .source("no class of the Swift sources here is a @Model, and there is no other model"), path: root)
            }
            self = sources.modelVersions
        }
    }

    /// Returns the versions of models at several paths, of which Swift sources are read together: a class may use types
    /// that other files declare.
    /// - Throws: `ModelError` if there is no model at a path, or a model cannot be read.
    public static func together(
        _ paths: [String], swiftData selection: SwiftDataSelection
    ) throws(ModelError) -> [ModelVersions] {
        let sources = paths.filter(SwiftDataSources.areThere)
        guard sources.count > 1 else {
            var result: [ModelVersions] = []
            for path in paths { result.append(try ModelVersions(path: path, swiftData: selection)) }
            return result
        }
        var result: [ModelVersions] = []
        var failure: ModelError?
        for path in paths {
            do throws(ModelError) {
                if !path.hasSuffix(".swift") { result.append(try ModelVersions(path: path)) }
            } catch {
                // Sources do not require a model file beside them.
                if !sources.contains(path) { throw error }
                failure = error
            }
        }
        if let found = try SwiftDataSources(paths: sources, selection: selection) {
            result.append(found.modelVersions)
        } else if result.isEmpty {
            throw failure ?? ModelError(.source("no class of these sources is a @Model"), path: sources[0])
        }
        return result
    }
}
