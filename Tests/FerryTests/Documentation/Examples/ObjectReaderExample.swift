import ManagedObjectModels
import SQLiteAccess
import StoreConversion

/// The values of the attribute `name` of all objects of a store of any type.
func names(in path: String, model: ResolvedModel) throws -> [String] {
    let registry = PersistentStoreRegistry.standard  // .adding(MyFormat())
    let reader = try StoreConverter.Source(path: path, model: model)
        .reader(in: registry, findings: ConversionFindings())
    let forms = ObjectForms(model)
    var object = StoredObject()
    var names: [String] = []
    while try reader.next(&object) {
        let form = forms.entities[object.slot]
        for (place, attribute) in form.attributes.enumerated() where attribute.name == "name" {
            names.append(object.value(at: place).string ?? "")
        }
    }
    return names
}
