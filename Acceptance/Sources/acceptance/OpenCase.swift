import CoreData

/// A store that Ferry wrote, and what it should hold.
struct OpenCase {
    let folder: URL
    let type: String
    let file: String

    func judge(_ verdict: inout Verdict) throws {
        let model = try OpenedStore.model(folder.appendingPathComponent("Model.mom"))
        let expected = try ModelHashes.read(folder.appendingPathComponent("hashes.json"))
        for (name, hash) in ModelHashes.text(model.entityVersionHashesByName).sorted(by: { $0.key < $1.key }) {
            verdict.expect("version hash of \(name)", hash, expected[name] ?? "none")
        }
        let url = folder.appendingPathComponent(file)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: OpenedStore.storeType(type), at: url)
        if !model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) {
            verdict.failures.append("the model is not compatible with the store's metadata")
        }
        try compareContent(OpenedStore(url, type: type, model: model, isReadOnly: true), &verdict)
        try save(url, model, &verdict)
    }

    private func compareContent(_ opened: OpenedStore, _ verdict: inout Verdict) throws {
        let content = folder.appendingPathComponent("content", isDirectory: true)
        for entity in opened.context.persistentStoreCoordinator?.managedObjectModel.entities ?? [] {
            guard let name = entity.name, !entity.isAbstract else { continue }
            let lines = try String(contentsOf: content.appendingPathComponent(name + ".ndjson"), encoding: .utf8)
                .split(separator: "\n")
            let objects = try opened.objects(of: name)
            verdict.expect("objects of \(name)", objects.count, lines.count)
            let byURI = Dictionary(
                objects.map { ($0.objectID.uriRepresentation().absoluteString, $0) }) { first, _ in first }
            for line in lines {
                let record = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
                let uri = record["objectID"] as? String ?? ""
                guard let object = byURI[uri] else {
                    verdict.failures.append("Core Data does not find \(uri)")
                    continue
                }
                compare(object, record, &verdict)
            }
        }
        try opened.close()
    }

    private func compare(_ object: NSManagedObject, _ record: [String: Any], _ verdict: inout Verdict) {
        let found = ObjectText.values(of: object)
        for (name, value) in record.sorted(by: { $0.key < $1.key }) where name != "objectID" {
            // What a transformer makes of bytes has no form of its own in JSON.
            if object.entity.attributesByName[name]?.attributeType == .transformableAttributeType { continue }
            let expected = ObjectText.text(json: value)
            guard let text = found[name] else {
                verdict.notes.append("\(object.entity.name ?? "").\(name) is not compared")
                continue
            }
            if !ObjectText.same(text, expected) {
                verdict.failures.append(
                    "\(object.objectID.uriRepresentation()).\(name): Core Data has \(text), Ferry \(expected)")
            }
        }
    }

    /// Core Data changes an object of a copy, saves, and reads it again.
    private func save(_ url: URL, _ model: NSManagedObjectModel, _ verdict: inout Verdict) throws {
        let copy = try StoreCopy(of: url)
        defer { copy.remove() }
        let opened = try OpenedStore(copy.url, type: type, model: model, isReadOnly: false)
        guard let (object, name) = try changeable(opened, model) else {
            verdict.notes.append("no object has a text that can be changed")
            return
        }
        let uri = object.objectID.uriRepresentation()
        let text = (object.value(forKey: name) as? String ?? "") + "x"
        object.setValue(text, forKey: name)
        do {
            try opened.context.save()
        } catch {
            // Made-up data may break a rule of the model that only an app's validation knows.
            verdict.failures.append("a change of \(uri) could not be saved: \(error)")
            return
        }
        try opened.close()
        let again = try OpenedStore(copy.url, type: type, model: model, isReadOnly: true)
        guard let coordinator = again.context.persistentStoreCoordinator,
            let id = coordinator.managedObjectID(forURIRepresentation: uri)
        else {
            verdict.failures.append("\(uri) is gone after a save")
            return
        }
        let stored = try again.context.existingObject(with: id).value(forKey: name) as? String
        verdict.expect("\(uri).\(name) after a save", stored, text)
        try again.close()
    }

    /// The first object with an attribute of text that has no rules.
    private func changeable(
        _ opened: OpenedStore, _ model: NSManagedObjectModel
    ) throws -> (NSManagedObject, String)? {
        for entity in model.entities.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) where !entity.isAbstract {
            let unique = Set(entity.uniquenessConstraints.joined().compactMap { ($0 as? String) })
            let names = entity.attributesByName.filter { name, attribute in
                attribute.attributeType == .stringAttributeType && !attribute.isTransient
                    && !(attribute is NSDerivedAttributeDescription) && attribute.validationPredicates.isEmpty
                    && !unique.contains(name)
            }.keys.sorted()
            guard let name = names.first, let entityName = entity.name else { continue }
            if let object = try opened.objects(of: entityName).first { return (object, name) }
        }
        return nil
    }
}
