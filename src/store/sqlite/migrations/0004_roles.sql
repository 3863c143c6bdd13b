-- A file has no roles: who may open it may use it. The number keeps both stores at one version.
SELECT 1;
