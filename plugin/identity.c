// What the loader knows the plugin by: a hash of all else that it consists of.

extern const char gpuverify_identity[];

__attribute__((visibility("default"))) const char gpuverify_identity[] =
    IDENTITY;
