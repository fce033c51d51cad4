import Synchronization

/// One version of a model in a bundle or a folder; its document is read when it is first needed.
public struct ModelVersion: Sendable {
    /// The name in the bundle: `Person 2` for `Person 2.xcdatamodel`.
    public let name: String

    /// The path of the `.xcdatamodel`, or of the file if there is no such folder.
    public let path: String

    /// The bundle that contains it; nil if it is not in a bundle.
    public let bundle: ModelBundle?

    /// The path of the file that is read, which line numbers in the document refer to.
    public var documentPath: String { content.path }

    private let content: Content

    init(name: String, path: String, bundle: ModelBundle?, documentPath: String, form: ModelForm) {
        self.name = name
        self.path = path
        self.bundle = bundle
        content = Content(path: documentPath, read: { () throws(ModelError) in try form.read(documentPath) })
    }

    /// Makes a version that is not declared in a model file.
    ///
    /// - Parameters:
    ///   - name: the name of the version.
    ///   - path: the path of the file that declares it.
    ///   - bundle: the bundle that contains it; nil if there is none.
    ///   - documentPath: the path of the file that line numbers in the document refer to.
    ///   - read: makes the document; called when the document is first needed, and again after `forgetDocument()`.
    public init(
        name: String, path: String, bundle: ModelBundle?, documentPath: String,
        read: @escaping @Sendable () throws(ModelError) -> ModelDocument
    ) {
        self.name = name
        self.path = path
        self.bundle = bundle
        content = Content(path: documentPath, read: read)
    }

    /// Makes a version with an existing document, such as the model in a store.
    public init(name: String, path: String, document: ModelDocument) {
        self.name = name
        self.path = path
        bundle = nil
        content = Content(path: path, document: document)
    }

    /// Whether new stores get this version; true for a version without a bundle.
    public var isCurrent: Bool {
        bundle.map { $0.currentVersionName == name } ?? true
    }

    /// Returns the document, which is read by the first call; an error is thrown by every call.
    /// - Throws: `ModelError` if the file cannot be read, or is not a model.
    public func document() throws(ModelError) -> ModelDocument {
        try content.document().get()
    }

    /// Returns the model, which is read by the first call.
    /// - Throws: `ModelError` if the file cannot be read, or is not a model.
    public func model() throws(ModelError) -> ManagedObjectModel {
        try document().model
    }

    /// Releases a document that was read from a file; it is read again when needed.
    ///
    /// In a long history, only one version at a time then takes memory.
    public func forgetDocument() { content.forget() }

    /// A document that is read once and shared by all copies of the version.
    private final class Content: Sendable {
        let path: String
        private let read: (@Sendable () throws(ModelError) -> ModelDocument)?
        private let result = Mutex<Result<ModelDocument, ModelError>?>(nil)

        init(path: String, read: @escaping @Sendable () throws(ModelError) -> ModelDocument) {
            self.path = path
            self.read = read
        }

        init(path: String, document: ModelDocument) {
            self.path = path
            read = nil
            result.withLock { $0 = .success(document) }
        }

        func forget() {
            guard read != nil else { return }
            result.withLock { $0 = nil }
        }

        func document() -> Result<ModelDocument, ModelError> {
            result.withLock { result in
                if let result { return result }
                guard let read else { return .failure(ModelError(.noVersions, path: path)) }
                let answer = Result { () throws(ModelError) in try read() }
                result = answer
                return answer
            }
        }
    }
}

extension ModelVersion: CustomStringConvertible {
    /// The name, with the bundle's if there is one: `Person/Person 2`.
    public var description: String {
        (bundle.map { $0.name + "/" } ?? "") + name
    }
}
