/// True in a release build, which alone reads inputs of the largest sizes: without optimisation they take minutes, and
/// what they show is the same.
public let isOptimisedBuild: Bool = {
    #if DEBUG
        false
    #else
        true
    #endif
}()
